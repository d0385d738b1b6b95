import { randomBytes } from 'node:crypto';

const BYTES = 20;

/** What a new discussion is called: as long as the reference's, and not to be guessed. */
export const newDiscussionId = (): string => randomBytes(BYTES).toString('hex');
