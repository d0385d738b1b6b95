import { field, presenter } from '#libs/presenting';

/** The whole answer of what either works or fails. */
export const presentDone = presenter(field.literal(true), (done: true) => done);
