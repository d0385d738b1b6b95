import { DomainError } from '#libs/errors';

/** What cannot be done with a hook, in the reference's body for it (422). */
export const refusedHook = (error: string): DomainError => new DomainError({ kind: 'unprocessable', error });
