import { field, presenter, presentTime } from '#libs/presenting';
import type { GpgKey } from './gpg-key.entity';

const GpgKeyRecord = field.object({
  id: field.int(),
  key: field.string(),
  created_at: field.string(),
});

export const presentGpgKey = presenter(GpgKeyRecord, ({ id, key, createdAt }: GpgKey) => ({
  id,
  key,
  created_at: presentTime(createdAt),
}));
