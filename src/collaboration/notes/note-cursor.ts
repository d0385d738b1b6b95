import { invalidParameter } from '#libs/errors';

/** The place of a note in a list. Moments of the database have microseconds, which a Date would lose. */
export interface NoteCursor {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** Of the second, 0 to 999,999. */
  readonly micros: number;
  readonly id: number;
}

/** Beginning and end of the years 1 to 9999, the only ones that moments are written with. */
const EARLIEST = -62_135_596_800;
const LATEST = 253_402_300_799;
const WRITTEN = /^(?<seconds>-?\d{1,12})_(?<micros>\d{1,6})_(?<id>\d{1,15})$/;

export const writeCursor = ({ seconds, micros, id }: NoteCursor): string => `${seconds}_${micros}_${id}`;

/** Throws `invalid_parameter` for what no link of ours has. */
export function readCursor(text: string): NoteCursor {
  const { seconds, micros, id } = WRITTEN.exec(text)?.groups ?? {};
  const cursor = { seconds: Number(seconds), micros: Number(micros), id: Number(id) };
  // Also for NaN, where the text is something else.
  if (!(cursor.seconds >= EARLIEST && cursor.seconds <= LATEST)) throw invalidParameter('cursor is invalid');
  return cursor;
}
