import { field, presenter } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../users/user-summary.presenter';
import type { Membership } from './member.entity';

const MemberRecord = UserSummaryRecord.extend({
  access_level: field.int(),
  expires_at: field.string().nullable(),
});

export const presentMember = presenter(
  MemberRecord,
  ({ user, accessLevel, expiresAt }: Membership, view) => ({
    ...presentUserSummary(user, view),
    access_level: accessLevel,
    expires_at: expiresAt,
  }),
);

/** Who has the membership. */
export const presentUserOfMembership = presenter(UserSummaryRecord, ({ user }: Membership, view) =>
  presentUserSummary(user, view),
);
