import { Injectable } from '@nestjs/common';
import type { User } from '../users/user.entity';
import { UsersRepository } from '../users/users.repository';
import { Passwords } from './passwords';

/** Signs people in by what they know: the sign-in page, and protocols that have none. */
@Injectable()
export class PasswordLogins {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
  ) {}

  /** The user of a username or e-mail and password; null when they do not fit, the user is blocked or must change it. */
  async withPassword(login: string, password: string): Promise<User | null> {
    const found = await this.users.findForSignIn(login);
    const fits = await this.passwords.verify(found?.passwordDigest ?? null, password);
    return fits && found && !found.user.isBlocked && !found.user.mustChangePassword ? found.user : null;
  }
}
