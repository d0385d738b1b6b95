import type { User } from '../users/user.entity';
import type { SshKey } from './ssh-key.entity';

/** A key with the user whose it is. */
export interface OwnedSshKey {
  readonly key: SshKey;
  readonly owner: User;
}
