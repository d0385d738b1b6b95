/** What a text names by a number. */
export type NumberedKind = 'issue' | 'merge_request' | 'snippet' | 'epic';

interface Placed {
  /**
   * The project (the group of an epic) as written, "group/project"; a name without a slash stands in the namespace of
   * the text's own project. Null for that project itself.
   */
  readonly path: string | null;
}

export interface NumberedReference extends Placed {
  readonly kind: NumberedKind;
  /** The id of a snippet, else the number within the project or group. */
  readonly iid: number;
}

export interface CommitReference extends Placed {
  readonly kind: 'commit';
  /** Lower-case, 7 to 40 digits. */
  readonly sha: string;
}

/** Something that a text names; whether it exists, and for whom, is not known yet. */
export type Reference = NumberedReference | CommitReference;

/** Further ones in a text are passed over. */
export const MOST_REFERENCES = 100;

/** Where absolute links into this service begin, "https://service.example", without a slash at the end. */
export interface ReferenceOptions {
  readonly base: string;
}

/** The same thing named twice is one reference. */
export const keyOf = (reference: Reference): string =>
  `${reference.kind} ${reference.path?.toLowerCase() ?? ''} ${'iid' in reference ? reference.iid : reference.sha}`;

/** Where a text stands: what short names in it are looked up in. Null where it stands in none. */
export interface Home {
  /** Full path of the project. */
  readonly project: string | null;
  /** Full path of the project's namespace, or of the epic's group. */
  readonly namespace: string | null;
}

/** The full path of the project, of an epic's group, that a reference in a text means; null where it means none. */
export function pathIn({ kind, path }: Reference, { project, namespace }: Home): string | null {
  if (kind === 'epic') return path ?? namespace;
  if (path === null) return project;
  if (path.includes('/')) return path;
  return namespace === null ? null : `${namespace}/${path}`;
}

/** The same in a text of the project with that full path. */
export function pathOf(reference: Reference, projectPath: string): string {
  const namespace = projectPath.slice(0, Math.max(0, projectPath.lastIndexOf('/')));
  return pathIn(reference, { project: projectPath, namespace }) ?? projectPath;
}
