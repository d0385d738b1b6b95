import { params, wire } from '#libs/http';
import { TRIGGERS } from './hook-kinds';

export const InProject = params({
  id: wire.idOrPath().describe('Id or path of the project'),
});

export const HookPath = InProject.extend({ hook_id: wire.integer() });

const HookFields = params({
  url: wire.text().describe('Where to send the events: http or https, outside of the local network'),
  push_events: wire.boolean().optional(),
  push_events_branch_filter: wire.text().nullable().optional().describe('Branch name or wildcard'),
  issues_events: wire.boolean().optional(),
  confidential_issues_events: wire.boolean().optional(),
  merge_requests_events: wire.boolean().optional(),
  tag_push_events: wire.boolean().optional(),
  note_events: wire.boolean().optional(),
  job_events: wire.boolean().optional(),
  pipeline_events: wire.boolean().optional(),
  wiki_page_events: wire.boolean().optional(),
  wiki_events: wire.boolean().optional().describe('The same as wiki_page_events'),
  enable_ssl_verification: wire.boolean().optional(),
  token: wire.text().nullable().optional().describe('Sent to the receiver in X-Service-Token; never shown'),
});

export const CreateHook = InProject.extend(HookFields);

export const UpdateHook = HookPath.extend(HookFields);

export const TestHook = HookPath.extend({ trigger: wire.oneOf(TRIGGERS) });
