import { Module } from '@nestjs/common';
import { NoSigningKeys } from './gpg-keys/no-signing-keys';
import { SigningKeys } from './gpg-keys/signing-keys';
import { UserDirectory } from './users/user-directory.repository';

/** Users, groups, members and tokens. */
@Module({
  providers: [{ provide: SigningKeys, useClass: NoSigningKeys }, UserDirectory],
  exports: [SigningKeys, UserDirectory],
})
export class IdentityModule {}
