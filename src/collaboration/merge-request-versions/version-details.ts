import type { Commit, FileDiff } from '#libs/git';
import type { MergeRequestDetails } from '../merge-requests/merge-request-details';
import type { MergeRequestVersion } from './merge-request-version.entity';

/** A version with what is in it; nothing where maintenance has taken its commits. */
export interface VersionDetails {
  readonly version: MergeRequestVersion;
  /** Newest first. */
  readonly commits: readonly Commit[];
  readonly diffs: readonly FileDiff[];
}

/** A merge request with the differences that it makes. */
export interface MergeRequestWithChanges {
  readonly details: MergeRequestDetails;
  readonly diffs: readonly FileDiff[];
}
