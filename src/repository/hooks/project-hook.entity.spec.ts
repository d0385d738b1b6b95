import { HOOK_FLAGS, HOOK_KINDS, kindOf, TRIGGERS, type HookFlag } from './hook-kinds';
import { ProjectHook } from './project-hook.entity';

const hookWith = (flags: readonly HookFlag[], filter: string | null = null): ProjectHook =>
  Object.assign(
    new ProjectHook(),
    Object.fromEntries(HOOK_FLAGS.map((flag) => [flag, flags.includes(flag)])),
    { pushEventsBranchFilter: filter },
  );

describe('what a hook wants to know of', () => {
  it.each([
    ['push', 'pushEvents'],
    ['tag_push', 'tagPushEvents'],
    ['issue', 'issuesEvents'],
    ['confidential_issue', 'confidentialIssuesEvents'],
    ['merge_request', 'mergeRequestsEvents'],
    ['note', 'noteEvents'],
    ['job', 'jobEvents'],
    ['pipeline', 'pipelineEvents'],
    ['wiki_page', 'wikiPageEvents'],
  ] as const)('is %s with %s and nothing else', (kind, flag) => {
    expect(hookWith([flag]).wants(kind, 'master')).toBe(true);
    expect(hookWith(HOOK_FLAGS.filter((other) => other !== flag)).wants(kind, 'master')).toBe(false);
  });

  it('is a confidential note only for who may hear of both', () => {
    expect(hookWith(['noteEvents']).wants('confidential_note', null)).toBe(false);
    expect(hookWith(['confidentialIssuesEvents']).wants('confidential_note', null)).toBe(false);
    expect(hookWith(['noteEvents', 'confidentialIssuesEvents']).wants('confidential_note', null)).toBe(true);
  });

  it('is of pushes the branches that the filter covers, and of all else everything', () => {
    const hook = hookWith(HOOK_FLAGS, 'feature/*');
    expect(hook.wants('push', 'feature/a')).toBe(true);
    expect(hook.wants('push', 'master')).toBe(false);
    expect(hook.wants('tag_push', null)).toBe(true);
    expect(hook.wants('pipeline', null)).toBe(true);
  });
});

it('has one trigger for each kind', () => {
  expect(new Set(TRIGGERS.map(kindOf))).toEqual(new Set(Object.keys(HOOK_KINDS)));
});
