/** What is begun and goes on after the answer. */
export interface Accepted {
  readonly isAccepted: true;
}

export const ACCEPTED: Accepted = { isAccepted: true };
