import { field, presenter } from '#libs/presenting';
import type { Share } from './share.entity';

const ShareRecord = field.object({
  id: field.int(),
  project_id: field.int(),
  group_id: field.int(),
  group_access: field.int(),
  expires_at: field.string().nullable(),
});

export const presentShare = presenter(ShareRecord, (share: Share) => ({
  id: share.id,
  project_id: share.projectId,
  group_id: share.groupId,
  group_access: share.groupAccess,
  expires_at: share.expiresAt,
}));
