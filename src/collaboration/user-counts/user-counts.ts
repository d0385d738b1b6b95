/** How much waits for somebody. */
export interface UserCounts {
  /** Open merge requests assigned to them. */
  readonly mergeRequests: number;
}
