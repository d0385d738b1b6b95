import { SCOPES, type Scope } from '#libs/access';
import { invalid, type ValidationErrors } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { AccessTokensRepository } from './access-tokens.repository';
import type { IssuedToken, NewAccessToken } from './issued-token';
import { digestOf, newSecret } from './secrets';

interface TokenOwner {
  readonly id: number;
  readonly isAdmin: boolean;
}

const MAX_NAME_LENGTH = 255;

/** Issues tokens, for administrators, the command line and the first start alike. */
@Injectable()
export class AccessTokens {
  constructor(private readonly tokens: AccessTokensRepository) {}

  /** Throws `validation` for an empty name, no or unknown scopes, and `sudo` for somebody who is no administrator. */
  async issue(owner: TokenOwner, wanted: NewAccessToken): Promise<IssuedToken> {
    refuseInvalid(owner, wanted);
    const { kind, name, scopes, expiresAt, secret = newSecret() } = wanted;
    const token = await this.tokens.insert({
      kind,
      userId: owner.id,
      name,
      digest: digestOf(secret),
      scopes: [...new Set(scopes)],
      expiresAt: expiresAt === null ? null : new Date(`${expiresAt}T00:00:00Z`),
    });
    return { token, secret };
  }
}

const isGrantable = (scope: string, owner: TokenOwner): scope is Scope =>
  SCOPES.some((known) => known === scope) && (scope !== 'sudo' || owner.isAdmin);

function refuseInvalid(owner: TokenOwner, { name, scopes }: NewAccessToken): void {
  const errors: ValidationErrors = {};
  if (name.trim() === '') errors['name'] = ["can't be blank"];
  if (name.length > MAX_NAME_LENGTH)
    errors['name'] = [`is too long (maximum is ${MAX_NAME_LENGTH} characters)`];
  if (scopes.length === 0) errors['scopes'] = ["can't be blank"];
  if (!scopes.every((scope) => isGrantable(scope, owner)))
    errors['scopes'] = ['can only contain available scopes'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
