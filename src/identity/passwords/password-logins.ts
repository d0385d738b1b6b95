import { Injectable } from '@nestjs/common';
import { digestOf, looksLikeSecret } from '../access-tokens/secrets';
import { DirectoryLogins } from '../ldap/directory-logins';
import type { User } from '../users/user.entity';
import { UsersRepository } from '../users/users.repository';
import { Passwords } from './passwords';
import { RecentAttempts } from './recent-attempts';
import { SignInFailures } from './sign-in-failures.repository';
import { Turnstile } from './turnstile';

/** Why somebody is not let in. The reasons beyond these two are told only to who knows the password. */
export type Refusal = 'invalid' | 'locked';

type Checked = { readonly user: User } | { readonly refused: Refusal };
export type SignInOutcome =
  { readonly user: User } | { readonly refused: Refusal | 'blocked' | 'unconfirmed' };

const INVALID = { refused: 'invalid' } as const;
const LOCKED = { refused: 'locked' } as const;

/**
 * Signs people in by what they know: the sign-in page, and protocols that have none. Ten failures of an account lock it
 * for ten minutes on all nodes; ten of an address shut it out for ten minutes from one node. A login that belongs to
 * nobody gets the same answers after the same time. Do not call it in a transaction, whose end might undo the counting.
 */
@Injectable()
export class PasswordLogins {
  private readonly addresses = new RecentAttempts();

  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly failures: SignInFailures,
    private readonly turnstile: Turnstile,
    private readonly directories: DirectoryLogins,
  ) {}

  /**
   * For the sign-in page. A user who must change the password gets in, see `User.mustChangePassword`.
   * Throws `unavailable` when too many sign in.
   */
  async signIn(login: string, password: string, address: string): Promise<SignInOutcome> {
    const checked = await this.check(login, password, address);
    if ('refused' in checked) return checked;
    if (checked.user.isBlocked) return { refused: 'blocked' };
    return checked.user.confirmedAt === null ? { refused: 'unconfirmed' } : checked;
  }

  /**
   * For protocols without pages: the user of a username or e-mail and password. Null when they do not fit or the account
   * is locked, and where the user is blocked, has not confirmed the e-mail, must change the password, or needs a second
   * factor that cannot be asked for.
   * A token is no password: one that is unknown is refused at once. Throws `unavailable` when too many sign in.
   */
  async withPassword(login: string, password: string, address: string): Promise<User | null> {
    const outcome = await this.signIn(login, password, address);
    if ('refused' in outcome) return null;
    const { user } = outcome;
    return user.mustChangePassword || user.twoFactorEnabled ? null : user;
  }

  /** Whether somebody who is signed in knows their password; guessing it counts as failing to sign in. */
  async confirm(user: User, password: string, address: string): Promise<Refusal | null> {
    const checked = await this.check(user.username, password, address);
    return 'refused' in checked ? checked.refused : null;
  }

  /** An administrator's word, or a new password: earlier failures no longer count. */
  unlock(userId: number): Promise<void> {
    return this.failures.forget(accountOf(userId));
  }

  private async check(login: string, password: string, address: string): Promise<Checked> {
    if (looksLikeSecret(password) || login.includes('\0')) return INVALID;
    const found = await this.users.findForSignIn(login);
    const account = found ? accountOf(found.user.id) : `login ${foldedLogin(login)}`;
    if (await this.isShutOut(account, address)) return LOCKED;
    const mayAsk = async (): Promise<boolean> => !(await this.isShutOut(account, address));
    const directory = await this.directories.attempt({ login, password, known: found?.user ?? null, mayAsk });
    if (directory.kind === 'refused') return this.countFailure(account, address);
    if (directory.kind === 'accepted') {
      await this.failures.forget(account);
      return { user: directory.user };
    }
    const refused = await this.turnstile.pass(async () => {
      // Those who waited in front may have failed meanwhile.
      if (await this.isShutOut(account, address)) return LOCKED;
      const fits = await this.passwords.verify(found?.passwordDigest ?? null, password);
      return fits ? null : this.countFailure(account, address);
    });
    if (refused || !found) return refused ?? INVALID;
    await this.failures.forget(account);
    return found;
  }

  private async isShutOut(account: string, address: string): Promise<boolean> {
    return this.addresses.isExhausted(address) || (await this.failures.isLocked(account));
  }

  private async countFailure(account: string, address: string): Promise<{ readonly refused: Refusal }> {
    this.addresses.count(address);
    await this.failures.count(account);
    return INVALID;
  }
}

const accountOf = (userId: number): string => `user ${userId}`;

/** Short, however long the login is. */
const foldedLogin = (login: string): string => digestOf(login.toLowerCase()).toString('base64');
