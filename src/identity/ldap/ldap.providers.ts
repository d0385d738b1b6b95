import { AccountSync } from './account-sync.service';
import { Directories } from './directories';
import { DirectoryLogins } from './directory-logins';
import { SyncDirectories } from './directory-sync.job';
import { GroupSyncRequests } from './group-sync-requests.service';
import { SyncLdapGroup } from './group-sync.job';
import { GroupSyncRepository } from './group-sync.repository';
import { GroupSync } from './group-sync.service';
import { LdapAccountsRepository } from './ldap-accounts.repository';
import { LdapAccounts } from './ldap-accounts.service';
import { LdapGroupLink } from './ldap-group-link.entity';
import { LdapGroupLinksRepository } from './ldap-group-links.repository';
import { LdapGroupLinks } from './ldap-group-links.service';
import { LdapGroupsController } from './ldap-groups.controller';

/** Accounts and groups of directories, as the identity module takes them up. */
export const LDAP = {
  entities: [LdapGroupLink],
  controllers: [LdapGroupsController],
  /** For the pages. */
  published: [DirectoryLogins],
  providers: [
    AccountSync,
    Directories,
    GroupSync,
    GroupSyncRepository,
    GroupSyncRequests,
    LdapAccounts,
    LdapAccountsRepository,
    LdapGroupLinks,
    LdapGroupLinksRepository,
    SyncDirectories,
    SyncLdapGroup,
  ],
} as const;
