import { field, presenter } from '#libs/presenting';
import { presentUserBasic } from '../users/user.presenter';
import type { Membership } from './member.entity';

const MemberRecord = presentUserBasic.record.extend({
  access_level: field.int(),
  expires_at: field.string().nullable(),
});

export const presentMember = presenter(MemberRecord, ({ user, accessLevel, expiresAt }: Membership, view) => ({
  ...presentUserBasic(user, view),
  access_level: accessLevel,
  expires_at: expiresAt,
}));
