/** How many issues there are, whatever their state and of each. */
export interface IssueCounts {
  readonly all: number;
  readonly closed: number;
  readonly opened: number;
}
