import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessToken } from './access-tokens/access-token.entity';
import { AccessTokensRepository } from './access-tokens/access-tokens.repository';
import { AccessTokens } from './access-tokens/access-tokens.service';
import { ImpersonationTokensController } from './access-tokens/impersonation-tokens.controller';
import { ImpersonationTokens } from './access-tokens/impersonation-tokens.service';
import { PersonalTokensController } from './access-tokens/personal-tokens.controller';
import { PersonalTokens } from './access-tokens/personal-tokens.service';
import { Sessions } from './access-tokens/sessions.service';
import { NoSigningKeys } from './gpg-keys/no-signing-keys';
import { SigningKeys } from './gpg-keys/signing-keys';
import { GroupCreation } from './groups/group-creation.service';
import { GroupsController } from './groups/groups.controller';
import { GroupsRepository } from './groups/groups.repository';
import { Groups } from './groups/groups.service';
import { InstallationRepository } from './installation/installation.repository';
import { RunnersTokens } from './installation/runners-tokens';
import { GroupMembersController } from './members/group-members.controller';
import { Member } from './members/member.entity';
import { MembersRepository } from './members/members.repository';
import { Members } from './members/members.service';
import { ProjectMembersController } from './members/project-members.controller';
import { Namespace } from './namespaces/namespace.entity';
import { NamespacesController } from './namespaces/namespaces.controller';
import { NamespacesRepository } from './namespaces/namespaces.repository';
import { Namespaces } from './namespaces/namespaces.service';
import { PasswordLogins } from './passwords/password-logins';
import { Passwords } from './passwords/passwords';
import { Accounts } from './users/accounts.service';
import { Identity } from './users/identity.entity';
import { UserDirectory } from './users/user-directory.repository';
import { User } from './users/user.entity';
import { UsersController } from './users/users.controller';
import { UsersRepository } from './users/users.repository';
import { Users } from './users/users.service';
import { Version } from './version/version';
import { VersionController } from './version/version.controller';

/** What the other contexts may ask of this one; see identity.api.ts. */
const PUBLISHED = [
  AccessTokens,
  Accounts,
  Groups,
  Members,
  Namespaces,
  PasswordLogins,
  Passwords,
  RunnersTokens,
  Sessions,
  UserDirectory,
  Users,
];

/** Users, groups, members and tokens. */
@Module({
  imports: [TypeOrmModule.forFeature([AccessToken, Identity, Member, Namespace, User])],
  controllers: [
    UsersController,
    PersonalTokensController,
    ImpersonationTokensController,
    NamespacesController,
    GroupsController,
    ProjectMembersController,
    GroupMembersController,
    VersionController,
  ],
  providers: [
    ...PUBLISHED,
    { provide: SigningKeys, useClass: NoSigningKeys },
    AccessTokensRepository,
    GroupCreation,
    GroupsRepository,
    ImpersonationTokens,
    InstallationRepository,
    MembersRepository,
    NamespacesRepository,
    PersonalTokens,
    UsersRepository,
    Version,
  ],
  exports: [...PUBLISHED, SigningKeys],
})
export class IdentityModule {}
