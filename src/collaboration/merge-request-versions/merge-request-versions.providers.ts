import { BranchFollowing } from './branch-following.service';
import { BuildVersions } from './build-versions.subscriber';
import { Divergence } from './divergence.service';
import { FollowBranches } from './follow-branches.subscriber';
import { FollowedBranchesRepository } from './followed-branches.repository';
import { ForgetHeads } from './forget-heads.job';
import { HeadTraces } from './head-traces.service';
import { KeepVersions } from './keep-versions.job';
import { MergeRequestChanges } from './merge-request-changes.service';
import { MergeRequestContentController } from './merge-request-content.controller';
import { MergeRequestContents } from './merge-request-contents.service';
import { MergeRequestVersion } from './merge-request-version.entity';
import { MergeRequestVersionsRepository } from './merge-request-versions.repository';
import { PushNotes } from './push-notes.service';
import { SourceVersions } from './source-versions.service';
import { VersionContents } from './version-contents.service';
import { Versioning } from './versioning.service';
import { VersionReading } from './version-reading.service';

/** Versions of merge requests, and what they contain, as the collaboration module takes them up. */
export const MERGE_REQUEST_VERSIONS = {
  entities: [MergeRequestVersion],
  controllers: [MergeRequestContentController],
  providers: [
    BranchFollowing,
    BuildVersions,
    Divergence,
    FollowBranches,
    FollowedBranchesRepository,
    ForgetHeads,
    HeadTraces,
    KeepVersions,
    MergeRequestChanges,
    MergeRequestContents,
    MergeRequestVersionsRepository,
    PushNotes,
    SourceVersions,
    VersionContents,
    VersionReading,
    Versioning,
  ],
} as const;
