import { DomainError, forbidden } from '#libs/errors';
import type { Request } from 'express';
import { lastOf, type ParameterBag } from '../parameters/values';
import type { Account } from './caller-resolver';

/** Whom the caller wants to act as: the `sudo` parameter, else the `Sudo` header; null without either. */
export function sudoTarget(request: Request, bag: ParameterBag): string | null {
  const given = lastOf(bag['sudo']) ?? request.get('sudo');
  if (given === undefined || given === '') return null;
  return typeof given === 'string' || typeof given === 'number' ? String(given) : '';
}

/** The refusals of sudo, in the reference's order: no administrator, no token, no scope. */
export function requireSudo(account: Account): void {
  if (!account.user.isAdmin) throw forbidden('Must be admin to use sudo');
  if (account.credential !== 'token') {
    throw forbidden('Must be authenticated using an OAuth or Personal Access Token to use sudo');
  }
  if (!account.scopes.includes('sudo')) throw new DomainError({ kind: 'insufficient_scope', scope: 'sudo' });
}
