import { field, presenter } from '#libs/presenting';
import type { UserCounts } from './user-counts';

const UserCountsRecord = field.object({ merge_requests: field.int() });

export const presentUserCounts = presenter(UserCountsRecord, ({ mergeRequests }: UserCounts) => ({
  merge_requests: mergeRequests,
}));
