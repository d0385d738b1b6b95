import type { MergeRequestFacts } from './predefined-variables';

/** What hooks tell of the merge request that a pipeline is for. */
export interface BuiltMergeRequest extends MergeRequestFacts {
  readonly state: string;
  readonly mergeStatus: string;
}

/** Merge requests that pipelines are for. Bound in the context that owns merge requests. */
export abstract class BuiltMergeRequests {
  /** Null where it is gone. */
  abstract find(mergeRequestId: number): Promise<BuiltMergeRequest | null>;
}
