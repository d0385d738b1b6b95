import type { Project } from '../../repository/repository.api';
import type { DiscussedRef } from './discussed-ref';

/** Something that can be discussed, as notes know it; found for somebody who may read it. */
export interface Discussed {
  readonly ref: DiscussedRef;
  /** Its number in the project or group; null for a snippet or a commit, which have none. */
  readonly iid: number | null;
  /** Of a commit alone. */
  readonly sha?: string;
  /** Where it is; null for an epic. */
  readonly project: Project | null;
  readonly authorId: number | null;
  /** Whether the caller may write at all: nobody in an archived project, only members where the discussion is locked. */
  readonly isOpen: boolean;
  /** Whether the caller may write on it. */
  readonly mayComment: boolean;
  /** Whether the caller may change what others wrote. */
  readonly mayModerate: boolean;
  /** Whether the caller may settle what others raised. */
  readonly maySettle: boolean;
  /** Whether the caller may say when something was written. */
  readonly mayDate: boolean;
}
