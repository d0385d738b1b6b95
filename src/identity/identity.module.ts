import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessRequestsRepository } from './access-requests/access-requests.repository';
import { AccessRequests } from './access-requests/access-requests.service';
import { GroupAccessRequestsController } from './access-requests/group-access-requests.controller';
import { ProjectAccessRequestsController } from './access-requests/project-access-requests.controller';
import { AccessToken } from './access-tokens/access-token.entity';
import { AccessTokensRepository } from './access-tokens/access-tokens.repository';
import { AccessTokens } from './access-tokens/access-tokens.service';
import { JobCredentials } from './access-tokens/job-credentials.repository';
import { ImpersonationTokensController } from './access-tokens/impersonation-tokens.controller';
import { ImpersonationTokens } from './access-tokens/impersonation-tokens.service';
import { OwnTokens } from './access-tokens/own-tokens.service';
import { PersonalTokensController } from './access-tokens/personal-tokens.controller';
import { PersonalTokens } from './access-tokens/personal-tokens.service';
import { AvatarsController } from './avatars/avatars.controller';
import { AvatarsRepository } from './avatars/avatars.repository';
import { Avatars } from './avatars/avatars.service';
import { CustomAttributesRepository } from './custom-attributes/custom-attributes.repository';
import { CustomAttributes } from './custom-attributes/custom-attributes.service';
import { GroupAttributesController } from './custom-attributes/group-attributes.controller';
import { ProjectAttributesController } from './custom-attributes/project-attributes.controller';
import { UserAttributesController } from './custom-attributes/user-attributes.controller';
import { UserAttributes } from './custom-attributes/user-attributes.service';
import { ConfirmationsRepository } from './emails/confirmations.repository';
import { EmailAddresses } from './emails/email-addresses.repository';
import { EmailConfirmations } from './emails/email-confirmations.service';
import { Email } from './emails/email.entity';
import { EmailsController } from './emails/emails.controller';
import { EmailsRepository } from './emails/emails.repository';
import { Emails } from './emails/emails.service';
import { OwnEmailsController } from './emails/own-emails.controller';
import { GpgKey } from './gpg-keys/gpg-key.entity';
import { GpgKeysController } from './gpg-keys/gpg-keys.controller';
import { GpgKeysRepository } from './gpg-keys/gpg-keys.repository';
import { GpgKeys } from './gpg-keys/gpg-keys.service';
import { OwnGpgKeysController } from './gpg-keys/own-gpg-keys.controller';
import { RegisteredSigningKeys } from './gpg-keys/registered-signing-keys.repository';
import { SigningKeys } from './gpg-keys/signing-keys';
import { ResumeGroupRemovals } from './groups/forgotten-removals.job';
import { GROUP_SSO } from './group-sso/group-sso.providers';
import { GroupChanges } from './groups/group-changes.service';
import { GroupCreation } from './groups/group-creation.service';
import { GroupDeletion } from './groups/group-deletion.service';
import { GroupLists } from './groups/group-lists.service';
import { RemoveGroup } from './groups/group-removal.job';
import { GroupsController } from './groups/groups.controller';
import { GroupsRepository } from './groups/groups.repository';
import { Groups } from './groups/groups.service';
import { InstallationRepository } from './installation/installation.repository';
import { InstallationKeys } from './installation/installation-keys';
import { RunnersTokens } from './installation/runners-tokens';
import { SealedTexts } from './installation/sealed-texts';
import { LDAP } from './ldap/ldap.providers';
import { ExpiredMembers } from './members/expired-members.job';
import { GroupMembersController } from './members/group-members.controller';
import { Member } from './members/member.entity';
import { MembersRepository } from './members/members.repository';
import { Members } from './members/members.service';
import { ProjectMembersController } from './members/project-members.controller';
import { ProjectUsersController } from './members/project-users.controller';
import { Namespace } from './namespaces/namespace.entity';
import { NamespaceRemovalRepository } from './namespaces/namespace-removal.repository';
import { NamespaceRemoval } from './namespaces/namespace-removal.service';
import { NamespaceTreeRepository } from './namespaces/namespace-tree.repository';
import { NamespacesController } from './namespaces/namespaces.controller';
import { NamespacesRepository } from './namespaces/namespaces.repository';
import { RoutesRepository } from './namespaces/routes.repository';
import { Namespaces } from './namespaces/namespaces.service';
import { OAUTH } from './oauth/oauth.providers';
import { MailRequestJob } from './mail-requests/mail-request.job';
import { MailRequests } from './mail-requests/mail-requests.service';
import { NewPasswords } from './passwords/new-passwords.service';
import { PasswordChanges } from './passwords/password-changes.service';
import { PasswordLogins } from './passwords/password-logins';
import { PasswordResets } from './passwords/password-resets.service';
import { PasswordRows } from './passwords/password-rows.repository';
import { Passwords } from './passwords/passwords';
import { SignInFailures } from './passwords/sign-in-failures.repository';
import { Turnstile } from './passwords/turnstile';
import { Sessions } from './sessions/sessions.service';
import { SessionsRepository } from './sessions/sessions.repository';
import { SignInCleanup } from './sessions/sign-in-cleanup.job';
import { AccountChanges } from './users/account-changes.service';
import { AccountMails } from './users/account-mails';
import { OwnSshKeysController } from './ssh-keys/own-ssh-keys.controller';
import { SshKey } from './ssh-keys/ssh-key.entity';
import { SshKeysController } from './ssh-keys/ssh-keys.controller';
import { SshKeysRepository } from './ssh-keys/ssh-keys.repository';
import { SshKeys } from './ssh-keys/ssh-keys.service';
import { UserStatusController } from './user-status/user-status.controller';
import { UserStatusesRepository } from './user-status/user-statuses.repository';
import { UserStatuses } from './user-status/user-statuses.service';
import { Accounts } from './users/accounts.service';
import { AssignedPasswords } from './users/assigned-passwords.service';
import { ResumeUserRemovals } from './users/forgotten-users.job';
import { GhostUsers } from './users/ghost-users.service';
import { Identity } from './users/identity.entity';
import { PersonalNamespaces } from './users/personal-namespaces.service';
import { UserActivitiesController } from './users/user-activities.controller';
import { UserActivitiesRepository } from './users/user-activities.repository';
import { UserActivities } from './users/user-activities.service';
import { UserDeletionRepository } from './users/user-deletion.repository';
import { UserDeletion } from './users/user-deletion.service';
import { UserDirectory } from './users/user-directory.repository';
import { RemoveUser } from './users/user-removal.job';
import { UserStatesController } from './users/user-states.controller';
import { UserStates } from './users/user-states.service';
import { User } from './users/user.entity';
import { UsersController } from './users/users.controller';
import { UsersRepository } from './users/users.repository';
import { Users } from './users/users.service';
import { Version } from './version/version';
import { VersionController } from './version/version.controller';

/** What the other contexts may ask of this one; see identity.api.ts. */
const PUBLISHED = [
  OwnTokens,
  EmailAddresses,
  EmailConfirmations,
  AccessTokens,
  JobCredentials,
  Accounts,
  Avatars,
  CustomAttributes,
  Groups,
  ...GROUP_SSO.published,
  ...LDAP.published,
  Members,
  NamespaceRemoval,
  Namespaces,
  ...OAUTH.published,
  MailRequests,
  PasswordChanges,
  PasswordLogins,
  PasswordResets,
  Passwords,
  InstallationKeys,
  RoutesRepository,
  RunnersTokens,
  SealedTexts,
  Sessions,
  UserDirectory,
  Users,
  Version,
];

/** Users, groups, members and tokens. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ...GROUP_SSO.entities,
      ...LDAP.entities,
      ...OAUTH.entities,
      AccessToken,
      Email,
      GpgKey,
      Identity,
      Member,
      Namespace,
      SshKey,
      User,
    ]),
  ],
  controllers: [
    ...GROUP_SSO.controllers,
    ...LDAP.controllers,
    ...OAUTH.controllers,
    UsersController,
    UserStatesController,
    UserActivitiesController,
    UserAttributesController,
    GroupAttributesController,
    ProjectAttributesController,
    AvatarsController,
    PersonalTokensController,
    ImpersonationTokensController,
    NamespacesController,
    GroupsController,
    ProjectMembersController,
    GroupMembersController,
    ProjectUsersController,
    ProjectAccessRequestsController,
    GroupAccessRequestsController,
    OwnSshKeysController,
    SshKeysController,
    OwnGpgKeysController,
    GpgKeysController,
    OwnEmailsController,
    EmailsController,
    UserStatusController,
    VersionController,
  ],
  providers: [
    ...PUBLISHED,
    ...GROUP_SSO.providers,
    ...LDAP.providers,
    ...OAUTH.providers,
    { provide: SigningKeys, useClass: RegisteredSigningKeys },
    ConfirmationsRepository,
    Emails,
    EmailsRepository,
    GpgKeys,
    GpgKeysRepository,
    SshKeys,
    SshKeysRepository,
    UserStatuses,
    UserStatusesRepository,
    AccessRequests,
    AccessRequestsRepository,
    AccessTokensRepository,
    AccountChanges,
    AccountMails,
    AssignedPasswords,
    AvatarsRepository,
    CustomAttributesRepository,
    GhostUsers,
    PersonalNamespaces,
    RemoveUser,
    ResumeUserRemovals,
    UserActivities,
    UserActivitiesRepository,
    UserAttributes,
    UserDeletion,
    UserDeletionRepository,
    UserStates,
    GroupChanges,
    ExpiredMembers,
    GroupCreation,
    GroupDeletion,
    GroupLists,
    RemoveGroup,
    ResumeGroupRemovals,
    NamespaceRemovalRepository,
    NamespaceTreeRepository,
    GroupsRepository,
    ImpersonationTokens,
    InstallationRepository,
    MembersRepository,
    NamespacesRepository,
    NewPasswords,
    MailRequestJob,
    PasswordRows,
    SessionsRepository,
    SignInCleanup,
    SignInFailures,
    { provide: Turnstile, useFactory: () => new Turnstile() },
    PersonalTokens,
    UsersRepository,
  ],
  exports: [...PUBLISHED, SigningKeys],
})
export class IdentityModule {}
