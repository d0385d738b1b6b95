import type { Actor } from '#libs/access';
import type { Commit } from '#libs/git';
import type { Project } from '../../repository/repository.api';
import type { PipelineSource } from './pipeline.entity';
import type { PipelineVariable } from './pipeline-variable';
import type { MergeRequestFacts } from './predefined-variables';

/** A pipeline that is wanted: by whom, for what. */
export interface PipelineOrder {
  readonly project: Project;
  readonly actor: Actor;
  readonly source: PipelineSource;
  /** A branch, a tag, or the ref of a merge request. */
  readonly ref: string;
  readonly tag: boolean;
  readonly commit: Commit;
  /** Where the ref was before; ZERO_SHA for what is new or was not moved. */
  readonly beforeSha: string;
  readonly variables: readonly PipelineVariable[];
  readonly mergeRequest: MergeRequestFacts | null;
  /** Whoever pushed it wants nothing to run. */
  readonly skip: boolean;
  /** The move of refs that it is for, which makes it at most once. */
  readonly eventId: number | null;
}
