import { Injectable } from '@nestjs/common';
import { PasswordLogins } from '../passwords/password-logins';
import { Passwords } from '../passwords/passwords';
import { Sessions } from '../sessions/sessions.service';
import { UsersRepository } from './users.repository';

/** Passwords that administrators give. */
@Injectable()
export class AssignedPasswords {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly logins: PasswordLogins,
  ) {}

  /** Takes a while: call it before a transaction. */
  digest(password: string): Promise<string> {
    return this.passwords.hash(password);
  }

  /**
   * Ends all sessions of the user, who must choose another password at the next sign-in, unless it is the
   * administrator's own; call it in a transaction.
   */
  async assign(
    userId: number,
    passwordDigest: string,
    { isOwn }: { readonly isOwn: boolean },
  ): Promise<void> {
    await this.users.update(userId, { passwordDigest, passwordExpiresAt: isOwn ? null : new Date() });
    await this.sessions.endAll(userId);
    await this.logins.unlock(userId);
  }
}
