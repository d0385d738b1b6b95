import { AccessTokens } from '../identity/identity.api';
import { requireUser } from './acting-user';
import type { Command } from './command';

export const createToken: Command = {
  name: 'create-token',
  summary: 'Issues a personal access token and prints it, once.',
  options: {
    user: { meaning: 'username' },
    scopes: { meaning: 'scopes, separated by commas', default: 'api' },
    name: { meaning: 'what it is for', default: 'Made on the command line' },
    expires: { meaning: 'first day without it, YYYY-MM-DD; never when empty', default: '' },
  },
  async run(application, input) {
    const owner = await requireUser(application, input.option('user'));
    const expires = input.option('expires');
    const { secret } = await application.get(AccessTokens).issue(owner, {
      kind: 'personal',
      name: input.option('name'),
      scopes: input.option('scopes').split(','),
      expiresAt: expires === '' ? null : expires,
    });
    return secret;
  },
};
