import { LongText } from './long-text';

/**
 * What a request parameter may be before it is checked: text of a query or form, a JSON value, an uploaded
 * file, or a nesting of these.
 */
export type ParameterValue =
  | string
  | LongText
  | number
  | boolean
  | null
  | RepeatedValue
  | UploadedFile
  | ParameterValue[]
  | ParameterBag;

/** Names to values: everything a request sends, by query, body and path. Made without a prototype. */
export interface ParameterBag {
  [name: string]: ParameterValue;
}

/**
 * A name without brackets that a query or form gives more than once (`skip_groups=1&skip_groups=2`).
 * Rack keeps the last; go-gitlab means a list. So both stay readable.
 */
export class RepeatedValue {
  constructor(readonly values: (string | null)[]) {}
}

/** A file of a multipart body. It lies in a temporary place that is emptied when the response has ended. */
export class UploadedFile {
  constructor(
    /** The name the client gave, without folders; never a place on this machine. */
    readonly fileName: string,
    readonly contentType: string,
    readonly path: string,
    /** In bytes. */
    readonly size: number,
  ) {}
}

const create: (prototype: null) => ParameterBag = Object.create;

/** An empty hash that no key, `__proto__` included, can turn against us. */
export function emptyBag(): ParameterBag {
  return create(null);
}

/** Whether a value is a hash (a JSON object or `name[key]=` parameters). */
export function isHash(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Whether a parameter is a hash of parameters. */
export function isBag(value: ParameterValue | undefined): value is ParameterBag {
  if (typeof value !== 'object' || value === null) return false;
  return !(
    Array.isArray(value) ||
    value instanceof RepeatedValue ||
    value instanceof UploadedFile ||
    value instanceof LongText
  );
}

/** What a scalar reads: of a repeated name the last value, as Rack has it. */
export function lastOf(value: unknown): unknown {
  return value instanceof RepeatedValue ? value.values.at(-1) : value;
}
