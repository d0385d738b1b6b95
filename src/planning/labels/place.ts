/** Where labels and milestones are looked for: a project with all groups above it, or a group with those above. */
export interface Place {
  /** Null for a group. */
  readonly projectId: number | null;
  /** The namespace that the project is in, or the group itself. */
  readonly namespaceId: number;
}

export const placeOfProject = ({ id, namespaceId }: { id: number; namespaceId: number }): Place => ({
  projectId: id,
  namespaceId,
});

export const placeOfGroup = ({ id }: { id: number }): Place => ({ projectId: null, namespaceId: id });

/** The parameters $1 and $2 of the statements below. */
export const placeValues = ({ projectId, namespaceId }: Place): readonly [number | null, number] => [
  projectId,
  namespaceId,
];

/** SQL for the ids, as an array, of the namespace $2 and all above it. */
export const GROUPS_ABOVE =
  '(SELECT above.traversal_ids FROM namespaces above WHERE above.id = $2)::bigint[]';

/** SQL over a row of labels or milestones: it can be used in the place ($1, $2). */
export const usableIn = (alias: string): string =>
  `(${alias}.project_id = $1::bigint OR ${alias}.group_id = ANY(${GROUPS_ABOVE}))`;

/** SQL over such a row, for the ORDER BY of namesakes: the project's own before that of the nearest group. */
export const nearestFirst = (alias: string): string =>
  `${alias}.project_id IS NULL, array_position(${GROUPS_ABOVE}, ${alias}.group_id) DESC`;

/** SQL over such a row: it is the place's own, not one that it is lent by a group above. */
export const ownIn = (alias: string): string =>
  `(CASE WHEN $1::bigint IS NULL THEN ${alias}.group_id = $2::bigint ELSE ${alias}.project_id = $1::bigint END)`;
