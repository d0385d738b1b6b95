import { field, presenter, presentOptionalTime, presentTime, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import type { AuthoredStatus } from './authored-status';

const CommitStatusRecord = field.object({
  id: field.int(),
  sha: field.string(),
  ref: field.string(),
  status: field.string(),
  name: field.string(),
  target_url: field.string().nullable(),
  description: field.string().nullable(),
  coverage: field.number().nullable(),
  allow_failure: field.boolean(),
  created_at: field.string(),
  started_at: field.string().nullable(),
  finished_at: field.string().nullable(),
  author: UserSummaryRecord.nullable(),
});

export const presentCommitStatus = presenter(
  CommitStatusRecord,
  ({ status, author, project }: AuthoredStatus, view: View) => ({
    id: status.id,
    sha: status.sha,
    ref: status.ref,
    status: status.status,
    name: status.name,
    // A job is looked at here, whatever somebody else reports elsewhere.
    target_url:
      status.kind === 'job' ? `${view.urls.web(project.fullPath)}/-/jobs/${status.id}` : status.targetUrl,
    description: status.description,
    coverage: status.coverage,
    allow_failure: status.allowFailure,
    created_at: presentTime(status.createdAt),
    started_at: presentOptionalTime(status.startedAt),
    finished_at: presentOptionalTime(status.finishedAt),
    author: author && presentUserSummary(author, view),
  }),
);
