import { ANONYMOUS, sufficientScopes, type Actor } from '#libs/access';
import { DomainError, unauthenticated } from '#libs/errors';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requireUsable, TOKEN_RULES, type TokenRules } from './account-checks';
import { Authenticator } from './authenticator';
import { CallerResolver, type Resolution, type SubjectReference } from './caller-resolver';
import { bearerParameters } from './strategies';

export interface Reader {
  readonly actor: Actor;
  readonly resolution: Resolution;
}

/** Finds out who reads what lies outside of the API, such as files that a project's pages show. */
@Injectable()
export class Readers {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly resolver: CallerResolver,
    @Inject(TOKEN_RULES) private readonly rules: TokenRules,
  ) {}

  /**
   * By any credential that the API takes, a browser's session too. Costs one query. Throws where something is shown
   * that is no good, or a token that may not read.
   */
  async identify(request: Request, response: Response, subject: SubjectReference): Promise<Reader> {
    request.body = bearerParameters(request);
    const credential = await this.authenticator.credentialOf(request, response);
    if (!credential) return { actor: ANONYMOUS, resolution: await this.resolver.resolve(null, subject) };
    if (credential.kind === 'job_token') throw unauthenticated();
    const resolution = await this.resolver.resolve({ by: 'credential', credential }, subject);
    const account = requireUsable(resolution.account, credential.kind, request, this.rules);
    if (!account) return { actor: ANONYMOUS, resolution: { ...resolution, level: 0 } };
    const scopes = sufficientScopes([], true);
    if (account.credential === 'token' && !account.scopes.some((scope) => scopes.includes(scope))) {
      throw new DomainError({ kind: 'insufficient_scope', scope: scopes.join(' ') });
    }
    const { user, credential: kind, scopes: held } = account;
    return { actor: { user, level: resolution.level, credential: kind, scopes: held }, resolution };
  }
}
