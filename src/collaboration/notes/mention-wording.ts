import type { NoteableKind } from '../../planning/planning.api';
import type { MentionSource, Place } from './mention-targets.repository';

const WORDS: Record<NoteableKind, readonly [noun: string, sign: string]> = {
  Issue: ['issue', '#'],
  MergeRequest: ['merge request', '!'],
  Snippet: ['snippet', '$'],
  Epic: ['epic', '&'],
};

/** "mentioned in issue #1": the source as it is called where the note will stand. */
export function mentionedIn(kind: NoteableKind, source: MentionSource, where: Place): string {
  const [noun, sign] = WORDS[kind];
  return `mentioned in ${noun} ${pathSeenFrom(source, where)}${sign}${source.iid}`;
}

export const mentionedInCommit = (sha: string, source: Omit<MentionSource, 'iid'>, where: Place): string => {
  const path = pathSeenFrom(source, where);
  return `mentioned in commit ${path}${path === '' ? '' : '@'}${sha}`;
};

/** Nothing within one project or group, the project's own path within one namespace, else the full path. */
function pathSeenFrom(
  { projectId, namespaceId, fullPath, namespacePath }: Omit<MentionSource, 'iid'>,
  where: Place,
): string {
  if (projectId === null)
    return where.projectId === null && where.namespaceId === namespaceId ? '' : fullPath;
  if (projectId === where.projectId) return '';
  return namespaceId === where.namespaceId ? fullPath.slice(namespacePath.length + 1) : fullPath;
}
