import type { UserContact, UserSummary } from '../../identity/identity.api';
import type { Note } from './note.entity';

/** A note with what its record tells besides. */
export interface ShownNote {
  readonly note: Note;
  /** The number of what it is on; null for a snippet. */
  readonly iid: number | null;
  /** Null where the account is gone, and where the system itself wrote it. */
  readonly author: UserContact | null;
  readonly resolvedBy: UserSummary | null;
}
