import { wire } from '#libs/http';
import { IssuableFilter } from '../../planning/planning.api';
import { MERGE_REQUEST_STATES } from './merge-request.entity';

/** Lists across projects; the filters shared with issues come from there. */
export const ListMergeRequests = IssuableFilter.extend({
  state: wire.oneOf([...MERGE_REQUEST_STATES, 'all']).default('all'),
  order_by: wire.oneOf(['created_at', 'updated_at']).default('created_at'),
  sort: wire.oneOf(['asc', 'desc']).default('desc'),
  view: wire.oneOf(['simple']).optional(),
  approver_ids: wire.integersNoneAny({ max: 5 }).optional().describe('All of them may approve by name'),
  source_branch: wire.text().optional(),
  target_branch: wire.text().optional(),
  wip: wire.oneOf(['yes', 'no']).optional(),
});
