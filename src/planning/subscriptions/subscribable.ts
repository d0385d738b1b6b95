/** What people may want to hear of, besides labels. */
export const SUBSCRIBABLE_COLUMN = {
  Issue: 'issue_id',
  MergeRequest: 'merge_request_id',
  Epic: 'epic_id',
} as const;

export type SubscribableKind = keyof typeof SUBSCRIBABLE_COLUMN;

export interface SubscribableRef {
  readonly kind: SubscribableKind;
  readonly id: number;
}
