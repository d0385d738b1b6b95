import { AssigneesRepository } from './assignees.repository';
import { BlockingDiscussions } from './blocking-discussions.repository';
import { CommitMergeRequests } from './commit-merge-requests.service';
import { ContributionsRepository } from './contributions.repository';
import { EditEffects } from './edit-effects.service';
import { Followers } from './followers.service';
import { FoundMergeRequestsController } from './found-merge-requests.controller';
import { MergeRequest } from './merge-request.entity';
import { MergeRequestCircumstances } from './merge-request-circumstances.service';
import { MergeRequestContributions } from './merge-request-contributions.repository';
import { MergeRequestCreation } from './merge-request-creation.service';
import { MergeRequestDescriptions } from './merge-request-descriptions.service';
import { MergeRequestDetailsService } from './merge-request-details.service';
import { MergeRequestEditing } from './merge-request-editing.service';
import { MergeRequestJournal } from './merge-request-journal.service';
import { MergeRequestLists } from './merge-request-lists.service';
import { MergeRequestListsController } from './merge-request-lists.controller';
import { MergeRequestMarks } from './merge-request-marks.service';
import { MergeRequestMilestones } from './merge-request-milestones.repository';
import { MergeRequestOpening } from './merge-request-opening.service';
import { MergeRequestRecords } from './merge-request-records.service';
import { MergeRequestRemoval } from './merge-request-removal.service';
import { MergeRequestRights } from './merge-request-rights.service';
import { MergeRequests } from './merge-requests.service';
import { MergeRequestsController } from './merge-requests.controller';
import { MergeRequestSearchRepository } from './merge-request-search.repository';
import { MergeRequestsOnRequest } from './merge-requests-on-request.service';
import { MergeRequestsRepository } from './merge-requests.repository';
import { MergeRequestStates } from './merge-request-states.service';
import { MergeRequestTimesController } from './merge-request-times.controller';
import { MilestoneMergeRequests } from './milestone-merge-requests.service';
import { Proposals } from './proposals.service';
import { Retargeting } from './retargeting.service';

/** Merge requests, as the collaboration module takes them up. */
export const MERGE_REQUESTS = {
  entities: [MergeRequest],
  controllers: [
    FoundMergeRequestsController,
    MergeRequestListsController,
    MergeRequestTimesController,
    MergeRequestsController,
  ],
  /** The ports of lower contexts. */
  published: [MergeRequestContributions, MergeRequestMilestones],
  providers: [
    AssigneesRepository,
    BlockingDiscussions,
    CommitMergeRequests,
    ContributionsRepository,
    EditEffects,
    Followers,
    MergeRequestCircumstances,
    MergeRequestCreation,
    MergeRequestDescriptions,
    MergeRequestDetailsService,
    MergeRequestEditing,
    MergeRequestJournal,
    MergeRequestLists,
    MergeRequestMarks,
    MergeRequestOpening,
    MergeRequestRecords,
    MergeRequestRemoval,
    MergeRequestRights,
    MergeRequestSearchRepository,
    MergeRequestStates,
    MergeRequests,
    MergeRequestsOnRequest,
    MergeRequestsRepository,
    MilestoneMergeRequests,
    Proposals,
    Retargeting,
  ],
} as const;
