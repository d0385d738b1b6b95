/** An issue of a milestone was made, closed or reopened. */
export interface BurndownEvent {
  readonly createdAt: Date;
  /** Of the issue, as it is today. */
  readonly weight: number | null;
  readonly action: 'created' | 'closed' | 'reopened';
}
