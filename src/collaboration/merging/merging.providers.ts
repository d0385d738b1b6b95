import { MergeRights, MergeStatuses } from '../merge-requests/merging-ports';
import { AnsweredMerges } from './answered-merges.service';
import { AwaitedMerge } from './awaited-merge.job';
import { AwaitedPipelines } from './awaited-pipelines.subscriber';
import { BranchMerging } from './branch-merging.service';
import { CheckMergeStatus } from './check-merge-status.job';
import { ClosedReferencesRepository } from './closed-references.repository';
import { CurrentMergeRequests } from './current-merge-requests.service';
import { HeadPipelines } from './head-pipelines.repository';
import { JoinedCommits } from './joined-commits.service';
import { MergeAcceptance } from './merge-acceptance.service';
import { MergeAttemptsRepository } from './merge-attempts.repository';
import { MergeCompletion } from './merge-completion.service';
import { MergeLocks } from './merge-locks.service';
import { MergeRecovery } from './merge-recovery.service';
import { MergeRefs } from './merge-refs.service';
import { BranchMergeRights } from './merge-rights.service';
import { MergeStatusRefresh } from './merge-status.subscriber';
import { MergeStatusesRepository } from './merge-statuses.repository';
import { MergeTexts } from './merge-texts.service';
import { MergeWishes } from './merge-wishes.service';
import { MergedCommits } from './merged-commits.repository';
import { Mergeability } from './mergeability.service';
import { MergingController } from './merging.controller';
import { Merging } from './merging.service';
import { PushedMerges } from './pushed-merges.subscriber';
import { ReadyMergeRequests } from './ready-merge-requests.service';
import { RebaseRights } from './rebase-rights.service';
import { RebaseSource } from './rebase.job';
import { Rebases } from './rebases.service';
import { RecoverMerges } from './recover-merges.job';
import { SourceBranchRemoval } from './source-branch-removal.service';
import { SourceRebasing } from './source-rebasing.service';
import { TestedMergeStatuses } from './tested-merge-statuses.service';

/** Merging, as the collaboration module takes it up. */
export const MERGING = {
  controllers: [MergingController],
  providers: [
    { provide: MergeRights, useClass: BranchMergeRights },
    { provide: MergeStatuses, useClass: TestedMergeStatuses },
    AnsweredMerges,
    AwaitedMerge,
    AwaitedPipelines,
    BranchMerging,
    CheckMergeStatus,
    ClosedReferencesRepository,
    CurrentMergeRequests,
    HeadPipelines,
    JoinedCommits,
    MergeAcceptance,
    MergeAttemptsRepository,
    MergeCompletion,
    MergeLocks,
    MergeRecovery,
    MergeRefs,
    MergeStatusRefresh,
    MergeStatusesRepository,
    MergeTexts,
    MergeWishes,
    MergedCommits,
    Mergeability,
    Merging,
    PushedMerges,
    ReadyMergeRequests,
    RebaseRights,
    RebaseSource,
    Rebases,
    RecoverMerges,
    SourceBranchRemoval,
    SourceRebasing,
  ],
} as const;
