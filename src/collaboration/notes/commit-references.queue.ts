import { defineQueue } from '#libs/jobs';
import type { NoteSource } from '../../planning/planning.api';
import type { MentionSource } from './mention-targets.repository';

/** Commits that a text names. */
export interface CommitReferencesJob {
  readonly about: NoteSource;
  /** How the text's thing is called; a commit has no number. */
  readonly source: Omit<MentionSource, 'iid'> & { readonly iid: number | null };
  readonly authorId: number;
  readonly commits: readonly NamedCommit[];
}

export interface NamedCommit {
  /** Full path of its project. */
  readonly path: string;
  /** 7 to 40 digits. */
  readonly sha: string;
}

/** After the text is written: git is asked which commits there are, and no row waits for that. */
export const commitReferences = defineQueue<CommitReferencesJob>('collaboration.commit_references', {
  expireInSeconds: 300,
});
