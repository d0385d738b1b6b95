import { isAdmin, signedIn, type Actor } from '#libs/access';
import { forbidden, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Users } from '../users/users.service';
import type { AccessToken } from './access-token.entity';
import type { CreateToken, ListPersonalTokens } from './access-token.params';
import { AccessTokensRepository } from './access-tokens.repository';
import { AccessTokens } from './access-tokens.service';
import type { IssuedToken } from './issued-token';

@Injectable()
export class PersonalTokens {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly issuing: AccessTokens,
    private readonly users: Users,
  ) {}

  /** The caller's own; administrators see everybody's. Throws 403 where others ask for somebody else's. */
  list(
    actor: Actor,
    params: ParamsOf<typeof ListPersonalTokens>,
    page: PageRequest,
  ): Promise<Page<AccessToken>> {
    const { id } = signedIn(actor);
    const { user_id: wanted, state } = params;
    if (wanted !== undefined && wanted !== id && !isAdmin(actor)) throw forbidden();
    const userId = wanted ?? (isAdmin(actor) ? null : id);
    return this.tokens.page({ kind: 'personal', userId, state }, page);
  }

  /** Somebody else's token does not exist, but for administrators. */
  async revoke(actor: Actor, id: string): Promise<void> {
    const { id: userId } = signedIn(actor);
    const number = /^(\d{1,15})(?:\.json)?$/.exec(id)?.[1];
    const token =
      number === undefined
        ? null
        : await this.tokens.find('personal', Number(number), isAdmin(actor) ? null : userId);
    if (!token) throw notFound();
    token.revoke();
    await this.tokens.saveRevocation(token);
  }

  /** Throws "404 User Not Found", and `validation` as `AccessTokens.issue` does. */
  async create(params: ParamsOf<typeof CreateToken>): Promise<IssuedToken> {
    const user = await this.users.get(params.user_id);
    const { name, scopes = [], expires_at: expiresAt = null } = params;
    return this.issuing.issue(user, { kind: 'personal', name, scopes, expiresAt });
  }
}
