import type { Sha } from '#libs/git';

/** What a commit's record shows of its latest pipeline. */
export interface CommitPipeline {
  readonly id: number;
  readonly ref: string | null;
  readonly sha: Sha;
  readonly status: string;
}

/** What commits need from CI; implemented there, bound by the application. */
export abstract class CommitPipelines {
  /** The newest pipeline of a commit, null without one. */
  abstract latest(projectId: number, sha: Sha): Promise<CommitPipeline | null>;
}
