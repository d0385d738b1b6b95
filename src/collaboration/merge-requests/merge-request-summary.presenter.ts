import { field, presenter } from '#libs/presenting';
import type { MergeRequestSummary } from './merge-request-lookup';

const MergeRequestSummaryRecord = field.object({
  id: field.int(),
  iid: field.int(),
  project_id: field.int(),
  title: field.string(),
});

export const presentMergeRequestSummary = presenter(
  MergeRequestSummaryRecord,
  (found: MergeRequestSummary) => ({
    id: found.id,
    iid: found.iid,
    project_id: found.projectId,
    title: found.title,
  }),
);
