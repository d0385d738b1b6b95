import { notFound } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { User } from '../users/user.entity';
import type { AccessToken } from './access-token.entity';
import { AccessTokensRepository } from './access-tokens.repository';
import { AccessTokens } from './access-tokens.service';
import type { NewAccessToken } from './issued-token';

/** What people do with their own personal access tokens, administrators included. */
@Injectable()
export class OwnTokens {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly issuing: AccessTokens,
  ) {}

  /** The active ones. */
  list({ id: userId }: User, page: PageRequest): Promise<Page<AccessToken>> {
    return this.tokens.page({ kind: 'personal', userId, state: 'active' }, page);
  }

  /** Answers the secret, which is told this once. Throws `validation` as `AccessTokens.issue` does. */
  async create(user: User, wanted: Pick<NewAccessToken, 'name' | 'scopes' | 'expiresAt'>): Promise<string> {
    return (await this.issuing.issue(user, { kind: 'personal', ...wanted })).secret;
  }

  /** Throws `not_found` for what is no token of the user. */
  async revoke({ id: userId }: User, id: string): Promise<void> {
    const token = /^\d{1,15}$/.test(id) ? await this.tokens.find('personal', Number(id), userId) : null;
    if (!token) throw notFound();
    token.revoke();
    await this.tokens.saveRevocation(token);
  }
}
