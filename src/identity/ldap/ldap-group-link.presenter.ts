import { field, presenter } from '#libs/presenting';
import type { LdapGroupLink } from './ldap-group-link.entity';

const LdapGroupLinkRecord = field.object({
  cn: field.string(),
  group_access: field.int(),
  provider: field.string(),
});

export const presentLdapGroupLink = presenter(LdapGroupLinkRecord, (link: LdapGroupLink) => ({
  cn: link.cn,
  group_access: link.groupAccess,
  provider: link.provider,
}));
