import { toUSVString } from 'node:util';
import { LongText } from './long-text';

/*
 * How a value of the wire (text of a form or query, or a JSON scalar) becomes a value of the application.
 * Each reader answers undefined for what it does not accept: also for lists, hashes and files.
 */

const TRUE = new Set(['true', 't', '1', 'on', 'yes']);
const FALSE = new Set(['false', 'f', '0', 'off', 'no']);
const INTEGER = /^[+-]?\d{1,16}$/;
/** In characters. Longer ones can only be the contents of files. */
const MOST_TEXT = 20 * 1024 * 1024;
const DECIMAL = /^[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:e[+-]?\d{1,3})?$/i;

/** Text; JSON numbers and booleans are written out. Text that PostgreSQL cannot store is refused. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = value instanceof LongText && value.length <= MOST_TEXT ? value.toString() : value;
  return typeof text === 'string' && isStorable(text) ? text : undefined;
}

/** As `readText`; a long text comes as it is. */
export function readContent(value: unknown): string | LongText | undefined {
  if (!(value instanceof LongText)) return readText(value);
  return value.isWellFormed ? value : undefined;
}

/** A whole number that a double holds exactly. */
export function readInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !INTEGER.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number + 0 : undefined;
}

/** A finite decimal number. */
export function readFloat(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !DECIMAL.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A boolean in any of the spellings that clients use, upper case included (`True` of Python). */
export function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1 ? true : value === 0 ? false : undefined;
  if (typeof value !== 'string' || value.length > 5) return undefined;
  const word = value.toLowerCase();
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined;
}

/** An id (`42`, `"42"`) or a full path (`group/project`): all digits means an id. */
export function readIdOrPath(value: unknown): number | string | undefined {
  if (typeof value === 'number') return readInteger(value);
  if (typeof value !== 'string' || value === '') return undefined;
  return /^\d+$/.test(value) ? readInteger(value) : readText(value);
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && toUSVString(text) === text;
}
