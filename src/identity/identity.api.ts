export { User } from './users/user.entity';
export { Namespace } from './namespaces/namespace.entity';
export { SigningKeys, type SigningKey } from './gpg-keys/signing-keys';
export type { UserSummary } from './users/user-summary';
export { presentUserSummary, UserSummaryRecord } from './users/user-summary.presenter';
export { UserDirectory } from './users/user-directory.repository';
export { PasswordLogins } from './passwords/password-logins';
