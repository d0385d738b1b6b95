import { Injectable } from '@nestjs/common';
import { AccessTokensRepository } from './access-tokens.repository';
import { digestOf, newSecret } from './secrets';

export interface StartedSession {
  /** Value of the session cookie. */
  readonly cookie: string;
  /** What writing requests must send besides the cookie, as X-CSRF-Token. */
  readonly csrfToken: string;
  readonly expiresAt: Date;
}

const LIFETIME_MS = 7 * 24 * 3600 * 1000;

/** Sign-ins to the web pages. A session is a token of its own kind: it carries no scopes and works as a cookie alone. */
@Injectable()
export class Sessions {
  constructor(private readonly tokens: AccessTokensRepository) {}

  async start(user: { readonly id: number }): Promise<StartedSession> {
    const [cookie, csrfToken] = [newSecret(), newSecret()];
    const expiresAt = new Date(Date.now() + LIFETIME_MS);
    await this.tokens.insert({
      kind: 'session',
      userId: user.id,
      name: 'session',
      digest: digestOf(cookie),
      scopes: [],
      csrfDigest: digestOf(csrfToken),
      expiresAt,
    });
    return { cookie, csrfToken, expiresAt };
  }

  /** Nothing happens for a cookie that is no session. */
  end(cookie: string): Promise<void> {
    return this.tokens.removeSession(digestOf(cookie));
  }
}
