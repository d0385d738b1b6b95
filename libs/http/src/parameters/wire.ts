import { z } from 'zod';
import { LongText } from './long-text';
import { readDate, readDateTime } from './moments';
import type { Params } from './params';
import { readBoolean, readContent, readFloat, readIdOrPath, readInteger, readText } from './scalars';
import { isHash, RepeatedValue, UploadedFile } from './values';
import { describedAs, refusals, scalarType, wireType } from './wire-type';

/** More elements than this in a list must be asked for by `max`. */
const DEFAULT_LIST_LIMIT = 10_000;
const HASH_LIMIT = 1000;

const NONE_ANY: ReadonlyMap<string, 'None' | 'Any'> = new Map([
  ['none', 'None'],
  ['any', 'Any'],
]);

interface TextOptions {
  /** Whether '' and white space are accepted; refused with "<name> is empty". Default: accepted. */
  blank?: boolean;
  /** The greatest length, in UTF-16 units. */
  max?: number;
}

interface Range {
  min?: number;
  max?: number;
}

/**
 * The types of parameters, with the coercions and refusals of the reference system. Each is a zod schema: chain
 * `.optional()`, `.nullable()` (null and, but for text, '' clear), `.default(value)` and `.describe(text)`.
 */
export const wire = {
  /** Text. JSON numbers and booleans are written out as text. */
  text({ blank = true, max }: TextOptions = {}) {
    return scalarType(
      (value, refuse) => {
        const text = readText(value);
        return !blank && text?.trim() === '' ? refuse(refusals.empty) : text;
      },
      max === undefined ? z.string() : z.string().max(max),
      { blankIsValue: true },
    );
  },

  /** The content of a file: text of any length. Much of it comes as a LongText. */
  content() {
    const schema = z.custom<string | LongText>(
      (value) => typeof value === 'string' || value instanceof LongText,
    );
    return scalarType(readContent, describedAs(schema, { type: 'string' }), { blankIsValue: true });
  },

  /** One of the given words. */
  oneOf<const T extends readonly [string, ...string[]]>(words: T) {
    return scalarType(readText, z.enum(words), { blankIsValue: true });
  },

  /** One of the given whole numbers, such as access levels. */
  oneOfIntegers<const T extends readonly [number, ...number[]]>(numbers: T) {
    return scalarType(readInteger, z.literal([...numbers]));
  },

  /** A boolean: true/false, 1/0, t/f, on/off, yes/no in upper or lower case. */
  boolean() {
    return scalarType(readBoolean, z.boolean());
  },

  /** A whole number within the safe integers, and within the range if one is given. */
  integer({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: Range = {}) {
    return scalarType(readInteger, z.int().min(min).max(max));
  },

  /** A whole number, or one of the words None and Any in any letter case: for filters by what may be missing. */
  integerNoneAny() {
    return scalarType(
      (value, refuse) => {
        const word = typeof value === 'string' ? NONE_ANY.get(value.toLowerCase()) : undefined;
        const got = readText(value);
        if (got === undefined) return undefined;
        return (
          word ?? readInteger(value) ?? refuse(`should be an integer, 'None' or 'Any', however got ${got}`)
        );
      },
      z.union([z.int(), z.enum(['None', 'Any'])]),
    );
  },

  /** A decimal number. */
  float({ min = -Number.MAX_VALUE, max = Number.MAX_VALUE }: Range = {}) {
    return scalarType(readFloat, z.number().min(min).max(max));
  },

  /** A moment in ISO 8601, as a Date. */
  dateTime() {
    return scalarType(readDateTime, describedAs(z.date(), { type: 'string', format: 'date-time' }));
  },

  /** A calendar day, as the text `YYYY-MM-DD`: a day has no time zone that a Date could shift. */
  date() {
    return scalarType(readDate, describedAs(z.string(), { type: 'string', format: 'date' }));
  },

  /** A numeric id or a full path: all digits give a number, anything else a string. */
  idOrPath() {
    return scalarType(
      readIdOrPath,
      describedAs(z.union([z.int(), z.string()]), { type: ['integer', 'string'] }),
    );
  },

  /**
   * A list of one type, or of hashes when `params` are given. A single scalar is a list of one.
   * A hash with the indexes as keys is refused.
   */
  list<T extends z.ZodType>(
    element: T | Params<z.ZodRawShape, T>,
    { min = 0, max = DEFAULT_LIST_LIMIT } = {},
  ) {
    const ofHashes = !(element instanceof z.ZodType);
    return wireType(
      (value, refuse) => {
        const elements = readList(value, ofHashes);
        if (elements !== undefined && elements.length < min) return refuse(refusals.empty);
        if (elements !== undefined && elements.length > max) return refuse(`has more than ${max} elements`);
        return elements;
      },
      z.array(schemaOf<T>(element)).min(min).max(max),
    );
  },

  /** Whole numbers in a list, or between commas: `iids[]=1&iids[]=2`, `iids=1&iids=2`, `iids=1,2` (go-gitlab). */
  integers({ max = DEFAULT_LIST_LIMIT } = {}) {
    return wireType(
      (value, refuse) => {
        const numbers = piecesOf(value, max);
        if (numbers !== undefined && numbers.length > max) return refuse(`has more than ${max} elements`);
        return numbers;
      },
      z.array(scalarType(readInteger, z.int())).max(max),
    );
  },

  /** Whole numbers as `integers` reads them, or one of the words None and Any in any letter case. */
  integersNoneAny({ max = DEFAULT_LIST_LIMIT } = {}) {
    return wireType(
      (value, refuse) => {
        const pieces = piecesOf(value, max);
        const [only] = pieces ?? [];
        const word = typeof only === 'string' ? NONE_ANY.get(only.toLowerCase()) : undefined;
        if (word && pieces?.length === 1) return word;
        if (pieces !== undefined && pieces.length > max) return refuse(`has more than ${max} elements`);
        return pieces?.some((piece) => readInteger(piece) === undefined)
          ? refuse(`should be an array of integers, 'None' or 'Any'`)
          : pieces;
      },
      z.union([z.array(scalarType(readInteger, z.int())).max(max), z.enum(['None', 'Any'])]),
    );
  },

  /** Texts between commas, or a list of texts; blank ones are left out, so '' is the empty list. */
  commaSeparated({ max = DEFAULT_LIST_LIMIT } = {}) {
    return wireType(
      (value, refuse) => {
        const texts = readList(value, false)?.map(readText);
        if (texts === undefined || texts.includes(undefined)) return undefined;
        const words = texts.flatMap((text) => text?.split(',', max + 1) ?? []);
        const given = words.map((word) => word.trim()).filter((word) => word !== '');
        return given.length > max ? refuse(`has more than ${max} elements`) : given;
      },
      z.array(z.string()).max(max),
      { blankIsValue: true },
    );
  },

  /** One hash with known keys. */
  hash<T extends z.ZodType>(element: Params<z.ZodRawShape, T>) {
    return element.schema;
  },

  /** A hash with any keys, `max` of them at most, whose values are of one type. */
  hashOf<T extends z.ZodType>(element: T, { max = HASH_LIMIT } = {}) {
    return wireType(
      (value, refuse) => {
        if (!isHash(value)) return undefined;
        return Object.keys(value).length > max ? refuse(`has more than ${max} keys`) : { ...value };
      },
      z.record(z.string(), element),
    );
  },

  /** Any JSON value, as it came. */
  anything() {
    return wireType((value) => value, z.unknown(), { blankIsValue: true });
  },

  /** A file of a multipart body. */
  file() {
    return wireType(
      (value) => (value instanceof UploadedFile ? value : undefined),
      describedAs(z.instanceof(UploadedFile), { type: 'string', format: 'binary' }),
    );
  },
};

/** The elements of a list, those between commas too; one more than `max` of a text at most. */
const piecesOf = (value: unknown, max: number): readonly unknown[] | undefined =>
  readList(value, false)?.flatMap((piece) =>
    typeof piece === 'string' ? piece.split(',', max + 1).map((number) => number.trim()) : [piece],
  );

function readList(value: unknown, ofHashes: boolean): readonly unknown[] | undefined {
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value;
    return elements;
  }
  if (value instanceof RepeatedValue) return value.values;
  return ofHashes || typeof value === 'object' ? undefined : [value];
}

function schemaOf<T extends z.ZodType>(element: T | Params<z.ZodRawShape, T>): T {
  return element instanceof z.ZodType ? element : element.schema;
}
