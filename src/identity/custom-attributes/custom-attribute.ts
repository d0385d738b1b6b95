/** What can carry attributes. */
export type AttributedKind = 'user' | 'group' | 'project';

/** A note of the administrators upon something, by a key of their choice. */
export interface CustomAttribute {
  readonly key: string;
  readonly value: string;
}

/** The column that names the owner, by its kind. */
export const OWNER_COLUMN = { user: 'user_id', group: 'namespace_id', project: 'project_id' } as const;
