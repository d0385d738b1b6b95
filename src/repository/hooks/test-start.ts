/** A call that was asked for to try a hook; it is under way like any other, and shows in the log. */
export interface TestStart {
  readonly isQueued: true;
}

export const TEST_STARTED: TestStart = { isQueued: true };
