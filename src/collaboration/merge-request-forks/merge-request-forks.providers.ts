import { ForkNetworksRepository } from './fork-networks.repository';
import { LendingMergeRequests } from './lending-merge-requests.repository';
import { LendingRights } from './lending-rights.service';
import { SeparatedMergeRequests } from './separated-merge-requests.service';
import { SeparatedMergeRequestsRepository } from './separated-merge-requests.repository';
import { SourceAccess } from './source-access.service';

/** Merge requests across forks, as the collaboration module takes them up. */
export const MERGE_REQUEST_FORKS = {
  /** The ports of lower contexts. */
  published: [LendingMergeRequests, SeparatedMergeRequests],
  providers: [ForkNetworksRepository, LendingRights, SeparatedMergeRequestsRepository, SourceAccess],
} as const;
