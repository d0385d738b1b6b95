import type { Commit, Stats } from '#libs/git';
import type { CommitPipeline } from './commit-pipelines';

/** A commit in a list; with its stats where they were asked for. */
export interface ListedCommit {
  readonly commit: Commit;
  readonly stats: Stats | null;
}

/** A commit by itself: with its latest pipeline as far as the caller may see pipelines. */
export interface CommitDetails extends ListedCommit {
  readonly projectId: number;
  readonly lastPipeline: CommitPipeline | null;
}

/** The first line of the message, whole. */
export const titleOf = ({ message }: Pick<Commit, 'message'>): string =>
  message.split('\n', 1)[0]?.trimEnd() ?? '';
