import { Module } from '@nestjs/common';
import { NoSigningKeys } from './gpg-keys/no-signing-keys';
import { SigningKeys } from './gpg-keys/signing-keys';
import { PasswordLogins } from './passwords/password-logins';
import { UserDirectory } from './users/user-directory.repository';

/** Users, groups, members and tokens. */
@Module({
  providers: [{ provide: SigningKeys, useClass: NoSigningKeys }, { provide: PasswordLogins, useValue: { withPassword: () => Promise.resolve(null) } }, UserDirectory],
  exports: [PasswordLogins, SigningKeys, UserDirectory],
})
export class IdentityModule {}
