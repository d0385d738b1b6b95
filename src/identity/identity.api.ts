export { ACCEPTED, type Accepted } from './accepted/accepted';
export { presentAccepted } from './accepted/accepted.presenter';
export { OwnTokens } from './access-tokens/own-tokens.service';
export { AccessTokens } from './access-tokens/access-tokens.service';
export type { IssuedToken, NewAccessToken } from './access-tokens/issued-token';
export { sameSecret, type Session, type StartedSession } from './sessions/session';
export { USE_OF_TOKEN } from './sessions/sessions.repository';
export { Sessions } from './sessions/sessions.service';
export { EmailAddresses } from './emails/email-addresses.repository';
export { EmailConfirmations, type Confirmation } from './emails/email-confirmations.service';
export { SigningKeys, type SigningKey } from './gpg-keys/signing-keys';
export {
  GroupProjects,
  type ContentsOfGroup,
  type GroupStatistics,
  type PresentableProject,
} from './groups/group-projects';
export { CreateGroup, ReadGroup } from './groups/group.params';
export { presentGroupDetails } from './groups/group.presenter';
export { Groups } from './groups/groups.service';
export { RunnersTokens } from './installation/runners-tokens';
export { digestOf } from './access-tokens/secrets';
export { DirectoryLogins } from './ldap/directory-logins';
export { groupsOfMember } from './members/groups-of-member';
export { LIVE_MEMBER } from './members/live-member';
export { groupMembers } from './members/member-source';
export { Members } from './members/members.service';
export { Namespace } from './namespaces/namespace.entity';
export { namespaceUrl } from './namespaces/namespace.presenter';
export { NamespaceContents } from './namespaces/namespace-contents';
export { NamespaceRemoval } from './namespaces/namespace-removal.service';
export { Namespaces } from './namespaces/namespaces.service';
export { MailRequests } from './mail-requests/mail-requests.service';
export { PasswordChanges, type PasswordChange } from './passwords/password-changes.service';
export { PasswordLogins, type SignInOutcome } from './passwords/password-logins';
export { PasswordResets } from './passwords/password-resets.service';
export { Passwords } from './passwords/passwords';
export { PathRules } from './paths/path-rules';
export { avatarUrl } from './avatars/avatar-url';
export { attributeConditions, type AttributeFilter } from './custom-attributes/attribute-conditions';
export type { CustomAttribute } from './custom-attributes/custom-attribute';
export { AttributeFilterParam } from './custom-attributes/custom-attribute.params';
export { CustomAttributeRecord } from './custom-attributes/custom-attribute.presenter';
export { CustomAttributes } from './custom-attributes/custom-attributes.service';
export { Accounts } from './users/accounts.service';
export { AllContributions, Contributions } from './users/contributions';
export type { NewAccount } from './users/new-account';
export { UserDirectory } from './users/user-directory.repository';
export type { UserSummary } from './users/user-summary';
export { presentUserSummary, UserSummaryRecord } from './users/user-summary.presenter';
export { User } from './users/user.entity';
export { Users } from './users/users.service';
export { Authorizations, type AuthorizationVerdict } from './oauth/authorizations.service';
export { AUTHORIZATION_PARAMETERS, type AuthorizationRequest } from './oauth/authorization-request';
export type { AuthorizedApplication } from './oauth/consents.repository';
export { OAuthApplication } from './oauth/oauth-application.entity';
export { OAuthApplications, type ApplicationDetails } from './oauth/oauth-applications.service';
export type { RegisteredApplication } from './oauth/registered-application';
