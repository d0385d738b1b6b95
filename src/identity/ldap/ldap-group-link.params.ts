import { params, wire } from '#libs/http';

const LEVELS = [10, 20, 30, 40, 50] as const;

export const AddLdapGroupLink = params({
  cn: wire.text({ blank: false, max: 255 }).describe('Name of the group in the directory'),
  group_access: wire.oneOfIntegers(LEVELS).describe('Level of its members'),
  provider: wire.text({ blank: false, max: 64 }).describe('Which directory, as the configuration names it'),
});

export const LdapGroupLinkByCn = params({ cn: wire.text() });

export const LdapGroupLinkOfProvider = params({ provider: wire.text(), cn: wire.text() });

export const SyncLdapGroup = params({});
