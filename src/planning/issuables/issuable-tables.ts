/** What is assigned, timed, closed and reopened: issues, and merge requests likewise. */
export const ISSUABLE_KINDS = ['Issue', 'MergeRequest'] as const;
export type IssuableKind = (typeof ISSUABLE_KINDS)[number];

export interface IssuableRef {
  readonly kind: IssuableKind;
  readonly id: number;
}

/** Where they are kept; nothing of it comes from a request. */
export const ISSUABLE_TABLES = {
  Issue: { table: 'issues', assignees: 'issue_assignees', column: 'issue_id' },
  MergeRequest: {
    table: 'merge_requests',
    assignees: 'merge_request_assignees',
    column: 'merge_request_id',
  },
} as const satisfies Record<IssuableKind, { table: string; assignees: string; column: string }>;
