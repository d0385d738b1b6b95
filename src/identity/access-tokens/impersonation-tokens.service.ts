import { notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Users } from '../users/users.service';
import type { AccessToken } from './access-token.entity';
import type { CreateToken, ImpersonationTokenPath, ListImpersonationTokens } from './access-token.params';
import { AccessTokensRepository } from './access-tokens.repository';
import { AccessTokens } from './access-tokens.service';
import type { IssuedToken } from './issued-token';

/** Tokens that administrators make to act as somebody else. All of it throws "404 User Not Found" for nobody. */
@Injectable()
export class ImpersonationTokens {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly issuing: AccessTokens,
    private readonly users: Users,
  ) {}

  async list(
    params: ParamsOf<typeof ListImpersonationTokens>,
    page: PageRequest,
  ): Promise<Page<AccessToken>> {
    const { id: userId } = await this.users.get(params.user_id);
    return this.tokens.page({ kind: 'impersonation', userId, state: params.state }, page);
  }

  async show(params: ParamsOf<typeof ImpersonationTokenPath>): Promise<AccessToken> {
    const { id: userId } = await this.users.get(params.user_id);
    const token = await this.tokens.find('impersonation', params.impersonation_token_id, userId);
    if (!token) throw notFound('Impersonation Token');
    return token;
  }

  async create(params: ParamsOf<typeof CreateToken>): Promise<IssuedToken> {
    const user = await this.users.get(params.user_id);
    const { name, scopes = [], expires_at: expiresAt = null } = params;
    return this.issuing.issue(user, { kind: 'impersonation', name, scopes, expiresAt });
  }

  async revoke(params: ParamsOf<typeof ImpersonationTokenPath>, unmodifiedSince: Date | null): Promise<void> {
    const token = await this.show(params);
    requireUnmodified(token.updatedAt, unmodifiedSince);
    token.revoke();
    await this.tokens.saveRevocation(token);
  }
}
