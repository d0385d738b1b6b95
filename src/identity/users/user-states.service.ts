import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound } from '#libs/errors';
import { Injectable, Logger } from '@nestjs/common';
import { PasswordLogins } from '../passwords/password-logins';
import { Sessions } from '../sessions/sessions.service';
import { refuseLastAdministrator } from './last-administrator';
import type { User, UserState } from './user.entity';
import { Users } from './users.service';
import { UsersRepository } from './users.repository';

/** As in the reference: who has been here within these days is no candidate for deactivation. */
const DORMANT_DAYS = 180;
const DAY_MS = 24 * 3600 * 1000;

/** The state that a user is to have; throws where the present one forbids it. `administrators` are those who can act. */
type NextState = (user: User, administrators: readonly number[]) => Promise<UserState>;

/**
 * Who may come in. All of it answers true, also where nothing changes, and throws "404 User Not Found" for nobody and
 * 403 where the present state forbids the change.
 */
@Injectable()
export class UserStates {
  private readonly logger = new Logger(UserStates.name);

  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly rows: UsersRepository,
    private readonly sessions: Sessions,
    private readonly logins: PasswordLogins,
  ) {}

  /** The user's tokens are refused from the next request on, the sessions are over. */
  block(actor: Actor, id: string): Promise<true> {
    return this.change(actor, id, (user, administrators) => {
      if (user.id === signedIn(actor).id) throw forbidden('You cannot block yourself');
      if (user.state === 'ldap_blocked') throw forbidden('LDAP blocked users cannot be modified by the API');
      refuseLastAdministrator(user.id, administrators);
      return Promise.resolve('blocked');
    });
  }

  /** Failed attempts to sign in are forgotten too. */
  unblock(actor: Actor, id: string): Promise<true> {
    return this.change(actor, id, async (user) => {
      if (user.state === 'ldap_blocked') throw forbidden('LDAP blocked users cannot be unblocked by the API');
      if (user.state === 'deactivated') throw forbidden('Deactivated users cannot be unblocked by the API');
      await this.logins.unlock(user.id);
      return 'active';
    });
  }

  activate(actor: Actor, id: string): Promise<true> {
    return this.change(actor, id, (user) => {
      if (user.isBlocked) throw forbidden('A blocked user must be unblocked to be activated');
      return Promise.resolve('active');
    });
  }

  deactivate(actor: Actor, id: string): Promise<true> {
    return this.change(actor, id, (user) => {
      if (user.isBlocked) throw forbidden('A blocked user cannot be deactivated by the API');
      const moment = new Date(Date.now() - DORMANT_DAYS * DAY_MS);
      if (user.state === 'active' && !user.isDormantSince(moment)) {
        throw forbidden(
          `The user you are trying to deactivate has been active in the past ${DORMANT_DAYS} days and cannot be deactivated`,
        );
      }
      return Promise.resolve('deactivated');
    });
  }

  private async change(actor: Actor, id: string, next: NextState): Promise<true> {
    const { id: userId, isAdmin } = await this.users.get(id);
    const state = await this.database.transaction(() => this.changeTo(userId, isAdmin, next));
    if (state !== null)
      this.logger.log({ user: userId, by: signedIn(actor).id, state }, 'the state of an account was changed');
    return true;
  }

  /** Answers the new state; null where it is the old one. */
  private async changeTo(userId: number, isAdmin: boolean, next: NextState): Promise<UserState | null> {
    // Before the user, so that administrators who block each other wait for, and not upon, each other.
    const administrators = isAdmin ? await this.rows.lockAdministrators() : [];
    const user = await this.rows.findForChange(userId);
    if (!user) throw notFound('User');
    if (user.isInternal) throw forbidden('An internal user cannot be changed');
    const state = await next(user, administrators);
    if (state === user.state) return null;
    await this.rows.update(userId, { state });
    // After the change, so that nobody can sign in between.
    if (state === 'blocked') await this.sessions.endAll(userId);
    return state;
  }
}
