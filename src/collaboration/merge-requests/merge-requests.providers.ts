import { ApprovalRules } from './approval-rules.service';
import { ApprovalsController } from './approvals.controller';
import { ApprovalsOnRequest } from './approvals-on-request.service';
import { ApprovalsRepository } from './approvals.repository';
import { AssigneesRepository } from './assignees.repository';
import { BlockingDiscussions } from './blocking-discussions.repository';
import { BranchFollowing } from './branch-following.service';
import { BuildVersions } from './build-versions.subscriber';
import { ClosedIssues } from './closed-issues.service';
import { ClosingIssuesRepository } from './closing-issues.repository';
import { ClosingIssues } from './closing-issues.service';
import { ClosingMergeRequestCounts } from './closing-merge-requests.repository';
import { CommitMergeRequests } from './commit-merge-requests.service';
import { ContributionsRepository } from './contributions.repository';
import { Divergence } from './divergence.service';
import { EditEffects } from './edit-effects.service';
import { FollowBranches } from './follow-branches.subscriber';
import { FollowPipelines } from './follow-pipelines.subscriber';
import { FollowedBranchesRepository } from './followed-branches.repository';
import { Followers } from './followers.service';
import { ForgetHeads } from './forget-heads.job';
import { ForkNetworksRepository } from './fork-networks.repository';
import { FoundMergeRequestsController } from './found-merge-requests.controller';
import { HeadPipelineLinks } from './head-pipeline-links.repository';
import { HeadTraces } from './head-traces.service';
import { HookChanges } from './hook-changes.service';
import { IssueMergeRequests } from './issue-merge-requests.service';
import { KeepVersions } from './keep-versions.job';
import { LabelsOfHooks } from './labels-of-hooks.repository';
import { MadePipelines } from './made-pipelines.service';
import { MergeRequestApprovals } from './merge-request-approvals.service';
import { MergeRequestChanges } from './merge-request-changes.service';
import { MergeRequestContentController } from './merge-request-content.controller';
import { MergeRequestContents } from './merge-request-contents.service';
import { MergeRequestContributions } from './merge-request-contributions.repository';
import { MergeRequestCreation } from './merge-request-creation.service';
import { MergeRequestDescriptions } from './merge-request-descriptions.service';
import { MergeRequestDetailsService } from './merge-request-details.service';
import { MergeRequestEditing } from './merge-request-editing.service';
import { MergeRequestHookEvent } from './merge-request-hook-event';
import { MergeRequestHookRecords } from './merge-request-hook-records';
import { MergeRequestJournal } from './merge-request-journal.service';
import { MergeRequestListsController } from './merge-request-lists.controller';
import { MergeRequestLists } from './merge-request-lists.service';
import { MergeRequestMarks } from './merge-request-marks.service';
import { MergeRequestMilestones } from './merge-request-milestones.repository';
import { MergeRequestOpening } from './merge-request-opening.service';
import { MergeRequestPipelinesRepository } from './merge-request-pipelines.repository';
import { MergeRequestRecords } from './merge-request-records.service';
import { MergeRequestRemoval } from './merge-request-removal.service';
import { MergeRequestRights } from './merge-request-rights.service';
import { MergeRequestSearchRepository } from './merge-request-search.repository';
import { MergeRequestStates } from './merge-request-states.service';
import { MergeRequestTimesController } from './merge-request-times.controller';
import { MergeRequestVersion } from './merge-request-version.entity';
import { MergeRequestVersionsRepository } from './merge-request-versions.repository';
import { MergeRequest } from './merge-request.entity';
import { MergeRequestsController } from './merge-requests.controller';
import { MergeRequestsForPipelines } from './merge-requests-for-pipelines.service';
import { MergeRequestsOnRequest } from './merge-requests-on-request.service';
import { MergeRequestsRepository } from './merge-requests.repository';
import { MergeRequests } from './merge-requests.service';
import { MilestoneMergeRequests } from './milestone-merge-requests.service';
import { ProjectApprovalSettings } from './project-approvals.service';
import { Proposals } from './proposals.service';
import { PushNotes } from './push-notes.service';
import { Retargeting } from './retargeting.service';
import { ShownPipelines } from './shown-pipelines.service';
import { SourceAccess } from './source-access.service';
import { SourceVersions } from './source-versions.service';
import { VersionContents } from './version-contents.service';
import { VersionReading } from './version-reading.service';
import { Versioning } from './versioning.service';

/** Merge requests, as the collaboration module takes them up. */
export const MERGE_REQUESTS = {
  entities: [MergeRequest, MergeRequestVersion],
  controllers: [
    ApprovalsController,
    FoundMergeRequestsController,
    MergeRequestContentController,
    MergeRequestListsController,
    MergeRequestTimesController,
    MergeRequestsController,
  ],
  /** The ports of lower contexts. */
  published: [
    ClosingMergeRequestCounts,
    MergeRequestContributions,
    MergeRequestMilestones,
    MergeRequestsForPipelines,
  ],
  providers: [
    ApprovalRules,
    ApprovalsOnRequest,
    ApprovalsRepository,
    AssigneesRepository,
    BlockingDiscussions,
    BranchFollowing,
    BuildVersions,
    ClosedIssues,
    ClosingIssues,
    ClosingIssuesRepository,
    CommitMergeRequests,
    ContributionsRepository,
    Divergence,
    EditEffects,
    FollowBranches,
    FollowPipelines,
    FollowedBranchesRepository,
    Followers,
    ForgetHeads,
    ForkNetworksRepository,
    HeadPipelineLinks,
    HeadTraces,
    HookChanges,
    IssueMergeRequests,
    KeepVersions,
    LabelsOfHooks,
    MadePipelines,
    MergeRequestApprovals,
    MergeRequestChanges,
    MergeRequestContents,
    MergeRequestCreation,
    MergeRequestDescriptions,
    MergeRequestDetailsService,
    MergeRequestEditing,
    MergeRequestHookEvent,
    MergeRequestHookRecords,
    MergeRequestJournal,
    MergeRequestLists,
    MergeRequestMarks,
    MergeRequestOpening,
    MergeRequestPipelinesRepository,
    MergeRequestRecords,
    MergeRequestRemoval,
    MergeRequestRights,
    MergeRequestSearchRepository,
    MergeRequestStates,
    MergeRequestVersionsRepository,
    MergeRequests,
    MergeRequestsOnRequest,
    MergeRequestsRepository,
    MilestoneMergeRequests,
    ProjectApprovalSettings,
    Proposals,
    PushNotes,
    Retargeting,
    ShownPipelines,
    SourceAccess,
    SourceVersions,
    VersionContents,
    VersionReading,
    Versioning,
  ],
} as const;
