/** What is timed: in seconds. */
export interface TimeStats {
  readonly timeEstimate: number;
  readonly totalTimeSpent: number;
}
