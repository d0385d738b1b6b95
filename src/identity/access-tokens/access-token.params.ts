import { params, wire } from '#libs/http';

const OfUser = params({
  user_id: wire.text().describe('Id of the user'),
});

export const ListPersonalTokens = params({
  user_id: wire.integer().optional().describe('Of one user; administrators only, unless it is the caller'),
  state: wire.oneOf(['all', 'active', 'inactive']).default('all'),
});

export const PersonalTokenPath = params({
  id: wire.text().describe('Id of the token'),
});

export const CreateToken = OfUser.extend({
  name: wire.text(),
  scopes: wire.list(wire.text(), { max: 100 }).optional(),
  expires_at: wire.date().nullable().optional().describe('First day on which the token no longer works'),
});

export const ListImpersonationTokens = OfUser.extend({
  state: wire.oneOf(['all', 'active', 'inactive']).default('all'),
});

export const ImpersonationTokenPath = OfUser.extend({
  impersonation_token_id: wire.integer(),
});
