import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { digestOf, looksLikeSecret } from '../access-tokens/secrets';
import type { User } from '../users/user.entity';
import { UsersRepository } from '../users/users.repository';
import { FailedLogins } from './failed-logins';
import { Passwords } from './passwords';
import { Turnstile } from './turnstile';

/** A comparison occupies a thread, and files need the same few threads. */
const AT_ONCE = 2;
const MOST_WAITING = 50;

/** Signs people in by what they know: the sign-in page, and protocols that have none. */
@Injectable()
export class PasswordLogins {
  private readonly failed = new FailedLogins();
  private readonly turnstile = new Turnstile(AT_ONCE, MOST_WAITING);

  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
  ) {}

  /**
   * The user of a username or e-mail and password; null when they do not fit, the user is blocked or must change it,
   * and, whatever the password, after many failures of the account or of the client's `address` (see FailedLogins).
   * A token is no password: one that is unknown is refused at once. Throws `unavailable` when too many sign in.
   */
  async withPassword(login: string, password: string, address: string): Promise<User | null> {
    if (looksLikeSecret(password)) return null;
    const found = await this.users.findForSignIn(login);
    const account = found ? `user ${found.user.id}` : `login ${foldedLogin(login)}`;
    const counted = tellsApart(address) ? [account, `address ${address}`] : [account];
    if (this.failed.isExhausted(counted)) return null;
    const fits = await this.turnstile.pass(() =>
      this.compare(found?.passwordDigest ?? null, password, counted),
    );
    if (!fits || !found) return null;
    this.failed.forget(account);
    return !found.user.isBlocked && !found.user.mustChangePassword ? found.user : null;
  }

  private async compare(
    digest: string | null,
    password: string,
    counted: readonly string[],
  ): Promise<boolean> {
    // Those who waited in front may have failed meanwhile.
    if (this.failed.isExhausted(counted)) return false;
    const fits = await this.passwords.verify(digest, password);
    if (!fits) this.failed.count(counted);
    return fits;
  }
}

/** Short, however long the login is, so that the counts stay small. */
const foldedLogin = (login: string): string => digestOf(login.toLowerCase()).toString('base64');

/** All clients of a proxy on this machine have its address: counting it would shut everybody out for one guesser. */
const tellsApart = (address: string): boolean =>
  isIP(address) !== 0 && address !== '::1' && !/^(?:::ffff:)?127\./.test(address);
