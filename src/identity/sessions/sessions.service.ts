import { forbidden } from '#libs/errors';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { digestOf, newSecret } from '../access-tokens/secrets';
import { csrfTokenOf, type Session, type StartedSession } from './session';
import { SessionsRepository } from './sessions.repository';

/**
 * Sign-ins to the web pages, known to every node. A session is a token of its own kind: it carries no scopes and works
 * as a cookie alone. It ends a week after its last use, a month after its start, or when somebody ends it.
 */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionsRepository,
  ) {}

  /** Signs a user in: a deactivated one is active again. Throws `forbidden` where they were blocked meanwhile. */
  start(user: { readonly id: number }): Promise<StartedSession> {
    return this.database.transaction(async () => {
      // Also waits for whoever is blocking the user right now.
      if (!(await this.sessions.noteSignIn(user.id))) throw forbidden('Your account has been blocked.');
      return this.goOn(user.id);
    });
  }

  /** A session in the place of others that have ended: no sign-in of its own. */
  async goOn(userId: number): Promise<StartedSession> {
    const cookie = newSecret();
    const csrfToken = csrfTokenOf(cookie);
    const lastsUntil = await this.sessions.insert(userId, digestOf(cookie), digestOf(csrfToken));
    return { cookie, csrfToken, lastsUntil };
  }

  /** Null for a cookie that is no session (any more), and where the user is no longer active. */
  async find(cookie: string): Promise<Session | null> {
    const found = await this.sessions.find(digestOf(cookie));
    if (!found) return null;
    if (found.isUseStale) await this.sessions.noteUse(found.id);
    return { id: found.id, user: found.user, csrfToken: csrfTokenOf(cookie) };
  }

  /** Nothing happens for a cookie that is no session. */
  end(cookie: string): Promise<void> {
    return this.sessions.remove(digestOf(cookie));
  }

  /** Everywhere: for a user who is blocked (after the state has changed, in one transaction) or has a new password. */
  endAll(userId: number): Promise<void> {
    return this.sessions.removeAll(userId);
  }
}
