import { wire } from '#libs/http';
import { EpicPath } from './epic.params';

const id = wire.integer({ min: 1 });

export const ListEpicIssues = EpicPath;
export const NewEpicIssue = EpicPath.extend({ issue_id: id.describe('Global id of the issue') });
export const EpicIssuePath = EpicPath.extend({ epic_issue_id: id.describe('Id of the association') });
export const MoveEpicIssue = EpicIssuePath.extend({
  move_before_id: id.optional().describe('The association that is to come before it'),
  move_after_id: id.optional().describe('The association that is to come after it'),
});
