import { field, presenter } from '#libs/presenting';
import { DiffRecord, presentDiff } from '../../repository/repository.api';
import {
  MergeRequestDetailsRecord,
  presentMergeRequestDetails,
} from '../merge-requests/merge-request-details.presenter';
import type { MergeRequestWithChanges } from './version-details';

export const presentChanges = presenter(
  MergeRequestDetailsRecord.extend({ changes: field.array(DiffRecord) }),
  ({ details, diffs }: MergeRequestWithChanges, view) => ({
    ...presentMergeRequestDetails(details, view),
    changes: diffs.map((diff) => presentDiff(diff, view)),
  }),
);
