/** What a hook is asked about before it is called: the boolean fields of its record. */
export const HOOK_FLAGS = [
  'pushEvents',
  'issuesEvents',
  'confidentialIssuesEvents',
  'mergeRequestsEvents',
  'tagPushEvents',
  'noteEvents',
  'jobEvents',
  'pipelineEvents',
  'wikiPageEvents',
] as const;
export type HookFlag = (typeof HOOK_FLAGS)[number];

export interface HookKind {
  /** What receivers read in X-Service-Event. */
  readonly header: string;
  /** All of them must be set. */
  readonly flags: readonly HookFlag[];
  /** The kind's name in the API: that of its flag. */
  readonly trigger: string;
}

/** The kinds of calls that hooks get. */
export const HOOK_KINDS = {
  push: { header: 'Push Hook', flags: ['pushEvents'], trigger: 'push_events' },
  tag_push: { header: 'Tag Push Hook', flags: ['tagPushEvents'], trigger: 'tag_push_events' },
  issue: { header: 'Issue Hook', flags: ['issuesEvents'], trigger: 'issues_events' },
  confidential_issue: {
    header: 'Confidential Issue Hook',
    flags: ['confidentialIssuesEvents'],
    trigger: 'confidential_issues_events',
  },
  merge_request: {
    header: 'Merge Request Hook',
    flags: ['mergeRequestsEvents'],
    trigger: 'merge_requests_events',
  },
  note: { header: 'Note Hook', flags: ['noteEvents'], trigger: 'note_events' },
  // The record has no flag of its own for them; who may not hear of confidential issues hears no note on one.
  confidential_note: {
    header: 'Confidential Note Hook',
    flags: ['noteEvents', 'confidentialIssuesEvents'],
    trigger: 'confidential_note_events',
  },
  job: { header: 'Job Hook', flags: ['jobEvents'], trigger: 'job_events' },
  pipeline: { header: 'Pipeline Hook', flags: ['pipelineEvents'], trigger: 'pipeline_events' },
  wiki_page: { header: 'Wiki Page Hook', flags: ['wikiPageEvents'], trigger: 'wiki_page_events' },
} as const satisfies Record<string, HookKind>;

export type HookKindName = keyof typeof HOOK_KINDS;

/** What may be tried out. */
export const TRIGGERS = [
  'push_events',
  'tag_push_events',
  'issues_events',
  'confidential_issues_events',
  'merge_requests_events',
  'note_events',
  'confidential_note_events',
  'job_events',
  'pipeline_events',
  'wiki_page_events',
] as const satisfies readonly (typeof HOOK_KINDS)[HookKindName]['trigger'][];

const isKind = (name: string): name is HookKindName => Object.hasOwn(HOOK_KINDS, name);

/** Throws for a trigger that is none of TRIGGERS. */
export function kindOf(trigger: string): HookKindName {
  const found = Object.keys(HOOK_KINDS).find((name) => isKind(name) && HOOK_KINDS[name].trigger === trigger);
  if (found === undefined || !isKind(found)) throw new Error(`${trigger} is no trigger of hooks`);
  return found;
}
