import { field, presenter, presentOptionalTime, presentTime } from '#libs/presenting';
import type { AccessToken } from './access-token.entity';
import type { IssuedToken } from './issued-token';

const TokenRecord = field.object({
  id: field.int(),
  name: field.string(),
  revoked: field.boolean(),
  active: field.boolean(),
  created_at: field.string(),
  scopes: field.array(field.string()),
  expires_at: field.string().nullable(),
});

const token = (of: AccessToken): ReturnType<typeof TokenRecord.parse> => ({
  id: of.id,
  name: of.name,
  revoked: of.isRevoked,
  active: of.isActive,
  created_at: presentTime(of.createdAt),
  scopes: of.scopes,
  expires_at: presentOptionalTime(of.expiresAt)?.slice(0, 10) ?? null,
});

const PersonalTokenRecord = TokenRecord.extend({
  user_id: field.int(),
  last_used_at: field.string().nullable(),
});

export const presentPersonalToken = presenter(PersonalTokenRecord, (of: AccessToken) => ({
  ...token(of),
  user_id: of.userId,
  last_used_at: presentOptionalTime(of.lastUsedAt),
}));

/** The only answer that tells the secret. */
export const presentIssuedPersonalToken = presenter(
  PersonalTokenRecord.extend({ token: field.string() }),
  (issued: IssuedToken, view) => ({ ...presentPersonalToken(issued.token, view), token: issued.secret }),
);

const ImpersonationTokenRecord = TokenRecord.extend({ impersonation: field.literal(true) });

export const presentImpersonationToken = presenter(ImpersonationTokenRecord, (of: AccessToken) => ({
  ...token(of),
  impersonation: true as const,
}));

/** The only answer that tells the secret. */
export const presentIssuedImpersonationToken = presenter(
  ImpersonationTokenRecord.extend({ token: field.string() }),
  (issued: IssuedToken, view) => ({ ...presentImpersonationToken(issued.token, view), token: issued.secret }),
);
