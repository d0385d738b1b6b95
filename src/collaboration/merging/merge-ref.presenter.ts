import { field, presenter } from '#libs/presenting';
import type { MergeRefHead } from './merge-ref';

const MergeRefRecord = field.object({ commit_id: field.string() });

export const presentMergeRef = presenter(MergeRefRecord, ({ commitId }: MergeRefHead) => ({
  commit_id: commitId,
}));
