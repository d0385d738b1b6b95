import type { FoundIssue } from '../issues/issue-lookup.service';
import type { SystemNote } from '../noteables/system-notes';

const SENTENCE = {
  relate: 'marked this issue as related to',
  unrelate: 'removed the relation with',
} as const;

type End = Pick<FoundIssue, 'issue' | 'project'>;

/** What the discussions of both issues are told. */
export function relationNotes(
  action: keyof typeof SENTENCE,
  authorId: number,
  source: End,
  target: End,
): SystemNote[] {
  const noteOn = (on: End, about: End): SystemNote => ({
    on: { kind: 'Issue', id: on.issue.id },
    authorId,
    action,
    body: `${SENTENCE[action]} ${referenceFrom(on, about)}`,
    about: { kind: 'Issue', id: about.issue.id },
  });
  return [noteOn(source, target), noteOn(target, source)];
}

/** "#1" within a project, "project#1" within a namespace, and else with the full path. */
function referenceFrom({ project: here }: End, { issue, project: there }: End): string {
  if (here.id === there.id) return `#${issue.iid}`;
  return `${here.namespaceId === there.namespaceId ? there.path : there.fullPath}#${issue.iid}`;
}
