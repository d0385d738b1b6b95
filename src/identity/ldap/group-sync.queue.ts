import { defineQueue } from '#libs/jobs';

/** Compares one group with its linked groups. Requests while one waits are the same request. */
export const groupSyncs = defineQueue<{ readonly groupId: number }>('identity.sync_ldap_group', {
  expireInSeconds: 900,
  retryLimit: 5,
  retryDelaySeconds: 15,
  onePerKey: true,
});
