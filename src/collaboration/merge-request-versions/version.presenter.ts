import { field, presenter, presentTime } from '#libs/presenting';
import { DiffRecord, presentCommit, presentDiff } from '../../repository/repository.api';
import type { MergeRequestVersion } from './merge-request-version.entity';
import type { VersionDetails } from './version-details';

/** Every version is complete from the moment that it is there. */
const COLLECTED = 'collected' as const;

const VersionRecord = field.object({
  id: field.int(),
  head_commit_sha: field.string(),
  base_commit_sha: field.string(),
  start_commit_sha: field.string(),
  created_at: field.string(),
  merge_request_id: field.int(),
  state: field.literal(COLLECTED),
  real_size: field.string(),
});

export const presentVersion = presenter(VersionRecord, (version: MergeRequestVersion) => ({
  id: version.id,
  head_commit_sha: version.headSha,
  base_commit_sha: version.baseSha,
  start_commit_sha: version.startSha,
  created_at: presentTime(version.createdAt),
  merge_request_id: version.mergeRequestId,
  state: COLLECTED,
  real_size: String(version.realSize),
}));

export const presentVersionDetails = presenter(
  VersionRecord.extend({
    commits: field.array(presentCommit.record),
    diffs: field.array(DiffRecord),
  }),
  ({ version, commits, diffs }: VersionDetails, view) => ({
    ...presentVersion(version, view),
    commits: commits.map((commit) => presentCommit(commit, view)),
    diffs: diffs.map((diff) => presentDiff(diff, view)),
  }),
);
