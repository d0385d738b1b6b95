import type { AccessToken } from './access-token.entity';

export interface NewAccessToken {
  readonly kind: 'personal' | 'impersonation';
  readonly name: string;
  /** Checked here: whoever calls may pass on what they were given. */
  readonly scopes: readonly string[];
  /** First day (YYYY-MM-DD, UTC) on which the token no longer works; null for one that lasts. */
  readonly expiresAt: string | null;
  /** By default a new random one. Give one only where an operator has chosen it. */
  readonly secret?: string;
}

export interface IssuedToken {
  readonly token: AccessToken;
  /** Told this once and never again. */
  readonly secret: string;
}
