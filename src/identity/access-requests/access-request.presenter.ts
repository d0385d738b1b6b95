import { field, presenter } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../users/user-summary.presenter';
import type { AccessRequest } from './access-request';

const AccessRequestRecord = UserSummaryRecord.extend({
  requested_at: field.string(),
});

export const presentAccessRequest = presenter(
  AccessRequestRecord,
  ({ user, requestedAt }: AccessRequest, view) => ({
    ...presentUserSummary(user, view),
    requested_at: requestedAt.toISOString(),
  }),
);
