import { field, presenter } from '#libs/presenting';

/** What is begun and goes on after the answer. */
export interface Accepted {
  readonly isAccepted: true;
}

export const ACCEPTED: Accepted = { isAccepted: true };

export const presentAccepted = presenter(field.object({ message: field.string() }), (_accepted: Accepted) => ({
  message: '202 Accepted',
}));
