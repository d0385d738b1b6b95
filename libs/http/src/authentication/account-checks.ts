import { DomainError, forbidden, unauthenticated } from '#libs/errors';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { Account } from './caller-resolver';
import type { Credential } from './credential';

const isWrite = (request: Request): boolean => request.method !== 'GET' && request.method !== 'HEAD';

function csrfTokenMatches(expected: string | null, given: string | undefined): boolean {
  if (expected === null || given === undefined) return false;
  const digest = createHash('sha256').update(given).digest();
  const stored = Buffer.from(expected, 'hex');
  return stored.length === digest.length && timingSafeEqual(stored, digest);
}

const PASSWORD_EXPIRED =
  'Your password expired. Please access the service from a web browser to update your password.';

/** Injection token of the TokenRules. */
export const TOKEN_RULES = Symbol('token rules');

/** What the operator allows of tokens. */
export interface TokenRules {
  /** Impersonation tokens are accepted. */
  readonly impersonation: boolean;
}

/**
 * The account when it may act. A session counts as anonymous (null) where its cookie is unknown or stale, and on
 * writing requests without the CSRF token. Throws for every other credential that is unknown, expired, revoked
 * or of a blocked or deactivated user: a bad token is never taken for an anonymous call.
 */
export function requireUsable(
  account: Account | null,
  shown: Credential['kind'],
  request: Request,
  { impersonation }: TokenRules,
): Account | null {
  if (!account) {
    if (shown === 'session') return null;
    throw unauthenticated();
  }
  if (account.credential === 'session') {
    if (account.isExpired || account.isRevoked) return null;
    if (isWrite(request) && !csrfTokenMatches(account.csrfToken, request.get('x-csrf-token'))) return null;
    if (account.mustChangePassword) throw forbidden(PASSWORD_EXPIRED);
  }
  if (account.isRevoked) {
    throw new DomainError({
      kind: 'invalid_token',
      description: 'Token was revoked. You have to re-authorize from the user.',
    });
  }
  if (account.isImpersonation && !impersonation) {
    throw new DomainError({
      kind: 'invalid_token',
      description: 'Token is an impersonation token but impersonation was disabled.',
    });
  }
  if (account.isExpired) {
    throw new DomainError({
      kind: 'invalid_token',
      description: 'Token is expired. You can either do re-authorization or token refresh.',
    });
  }
  if (account.isBlocked) throw forbidden('Your account has been blocked.');
  if (account.isDeactivated) {
    throw forbidden(
      'Your account has been deactivated by your administrator. Please log back in to reactivate your account.',
    );
  }
  return account;
}
