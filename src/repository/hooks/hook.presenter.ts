import { field, presenter, presentTime } from '#libs/presenting';
import type { ProjectHook } from './project-hook.entity';

const HookRecord = field.object({
  id: field.int(),
  url: field.string(),
  project_id: field.int(),
  push_events: field.boolean(),
  push_events_branch_filter: field.string().nullable(),
  issues_events: field.boolean(),
  confidential_issues_events: field.boolean(),
  merge_requests_events: field.boolean(),
  tag_push_events: field.boolean(),
  note_events: field.boolean(),
  job_events: field.boolean(),
  pipeline_events: field.boolean(),
  wiki_page_events: field.boolean(),
  enable_ssl_verification: field.boolean(),
  created_at: field.string(),
});

export const presentHook = presenter(HookRecord, (hook: ProjectHook) => ({
  id: hook.id,
  url: hook.url,
  project_id: hook.projectId,
  push_events: hook.pushEvents,
  push_events_branch_filter: hook.pushEventsBranchFilter,
  issues_events: hook.issuesEvents,
  confidential_issues_events: hook.confidentialIssuesEvents,
  merge_requests_events: hook.mergeRequestsEvents,
  tag_push_events: hook.tagPushEvents,
  note_events: hook.noteEvents,
  job_events: hook.jobEvents,
  pipeline_events: hook.pipelineEvents,
  wiki_page_events: hook.wikiPageEvents,
  enable_ssl_verification: hook.enableSslVerification,
  created_at: presentTime(hook.createdAt),
}));
