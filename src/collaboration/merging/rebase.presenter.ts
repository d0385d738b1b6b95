import { field, presenter } from '#libs/presenting';
import type { MergeRequest } from '../merge-requests/merge-request.entity';

const RebaseRecord = field.object({ rebase_in_progress: field.boolean() });

export const presentRebase = presenter(RebaseRecord, ({ rebaseInProgressSince }: MergeRequest) => ({
  rebase_in_progress: rebaseInProgressSince !== null,
}));
