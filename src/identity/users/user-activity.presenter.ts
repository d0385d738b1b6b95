import { field, presenter } from '#libs/presenting';
import type { UserActivity } from './user-activity';

const UserActivityRecord = field.object({
  username: field.string(),
  last_activity_on: field.string(),
  last_activity_at: field.string().describe('Older name of `last_activity_on`'),
});

export const presentUserActivity = presenter(UserActivityRecord, (activity: UserActivity) => ({
  username: activity.username,
  last_activity_on: activity.lastActivityOn,
  last_activity_at: activity.lastActivityOn,
}));
