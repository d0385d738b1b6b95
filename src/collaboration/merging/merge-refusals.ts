import { conflict, notAcceptable, type DomainError } from '#libs/errors';

/** In conflict, or not where the project's way of merging needs it. */
export const cannotBeMerged = (): DomainError => notAcceptable('Branch cannot be merged');

/** Somebody pushed to it since the caller looked. */
export const staleHead = (): DomainError => conflict('SHA does not match HEAD of source branch');
