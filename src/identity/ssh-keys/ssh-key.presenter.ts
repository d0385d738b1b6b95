import { field, presenter, presentTime } from '#libs/presenting';
import { presentUser } from '../users/user.presenter';
import type { OwnedSshKey } from './owned-ssh-key';
import type { SshKey } from './ssh-key.entity';

const SshKeyRecord = field.object({
  id: field.int(),
  title: field.string(),
  key: field.string(),
  created_at: field.string(),
});

export const presentSshKey = presenter(SshKeyRecord, (key: SshKey) => ({
  id: key.id,
  title: key.title,
  key: key.key,
  created_at: presentTime(key.createdAt),
}));

/** For administrators, who ask whose a key is. */
export const presentOwnedSshKey = presenter(
  SshKeyRecord.extend({ user: presentUser.record }),
  ({ key, owner }: OwnedSshKey, view) => ({ ...presentSshKey(key, view), user: presentUser(owner, view) }),
);
