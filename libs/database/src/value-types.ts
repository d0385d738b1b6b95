import pg, { type CustomTypesConfig } from 'pg';

const INT8: number = pg.types.builtins.INT8;
const INT8_ARRAY = 1016;
const DATE: number = pg.types.builtins.DATE;

/**
 * bigint columns as numbers: ids and counters stay far below 2^53. A value above that is an error rather than
 * a silently rounded id.
 */
function integerOf(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a JavaScript number`);
  return value;
}

/** `{1,2,NULL}`: bigint arrays have one dimension in this schema. */
const integersOf = (text: string): (number | null)[] =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((part) => (part === 'NULL' ? null : integerOf(part)));

/** The driver's own reading of a type; its declaration tells no more than `any`. */
const driverParser: (id: number, format?: 'text' | 'binary') => (value: string) => unknown =
  pg.types.getTypeParser;

/** How values read from PostgreSQL become JavaScript, per pool and not for the whole process. */
export const valueTypes: CustomTypesConfig = {
  getTypeParser: (id, format) => {
    const type: number = id;
    if (format !== 'binary' && type === INT8) return integerOf;
    if (format !== 'binary' && type === INT8_ARRAY) return integersOf;
    // A day has no time zone that a Date could shift.
    if (format !== 'binary' && type === DATE) return (text: string): string => text;
    return driverParser(id, format);
  },
};
