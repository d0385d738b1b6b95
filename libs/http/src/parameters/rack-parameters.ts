import { badRequest, DomainError } from '#libs/errors';
import { type NameStep, readName } from './rack-name';
import {
  emptyBag,
  isBag,
  type ParameterBag,
  type ParameterValue,
  RepeatedValue,
  UploadedFile,
} from './values';

/** As in Rack; a commit of 10,000 actions sent as a form has some 50,000. */
export const PARAMETER_COUNT_LIMIT = 65_536;

/**
 * Parses a query or a form by the nesting rules of Rack 2.2 (`a[]=`, `h[k]=`, `l[][k]=`), in linear time.
 * A name without `=` has the value null.
 * @throws DomainError bad_request for bad %-encoding, text that is no UTF-8, NUL, contradictory names, too many
 * parameters and too deep nesting.
 */
export function parseRack(text: string): ParameterBag {
  refuseNul(text, '%00');
  const bag = emptyBag();
  const names = new Map<string, NameStep>();
  let count = 0;
  for (const part of partsOf(text)) {
    if (++count > PARAMETER_COUNT_LIMIT) throw badRequest('400 Bad request - too many parameters');
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const step = names.get(name) ?? readName(name);
    names.set(name, step);
    add(bag, name, step, equals < 0 ? null : decode(part.slice(equals + 1)));
  }
  return bag;
}

/**
 * Adds one decoded parameter, such as a field of a multipart body, to a bag.
 * @throws DomainError bad_request as `parseRack` does.
 */
export function addParameter(target: ParameterBag, name: string, value: string | UploadedFile): void {
  refuseNul(name);
  if (typeof value === 'string') refuseNul(value);
  add(target, name, readName(name), value);
}

type Leaf = string | null | UploadedFile;

function add(bag: ParameterBag, name: string, step: NameStep, value: Leaf): void {
  const known = bag[name];
  const isRepeated = step.kind === 'value' && step.key === name && known !== undefined;
  if (isRepeated && !(value instanceof UploadedFile) && isText(known)) bag[name] = repeated(known, value);
  else put(bag, step, value);
}

function isText(value: ParameterValue): value is string | null | RepeatedValue {
  return value === null || typeof value === 'string' || value instanceof RepeatedValue;
}

function repeated(known: string | null | RepeatedValue, value: string | null): RepeatedValue {
  if (!(known instanceof RepeatedValue)) return new RepeatedValue([known, value]);
  known.values.push(value);
  return known;
}

/** Puts a value where its name says. Answers what the holder of the hash keeps: a name without a key replaces it. */
function put(hash: ParameterBag, step: NameStep, value: Leaf): ParameterValue {
  switch (step.kind) {
    case 'nameless':
      return step.isList && value !== null ? [value] : null;
    case 'value':
      hash[step.key] = value;
      break;
    case 'append':
      listAt(hash, step.key).push(value);
      break;
    case 'element':
      putInElement(listAt(hash, step.key), step, value);
      break;
    case 'inside':
      hash[step.key] = put(hashAt(hash, step.key), step.inner, value);
      break;
  }
  return hash;
}

/** A key that the last element of the list has already begins the next element. */
function putInElement(list: ParameterValue[], step: NameStep & { kind: 'element' }, value: Leaf): void {
  const last = list.at(-1);
  if (isBag(last) && !hasPath(last, step.path)) put(last, step.inner, value);
  else list.push(put(emptyBag(), step.inner, value));
}

function hasPath(bag: ParameterBag, path: readonly string[] | null): boolean {
  if (path === null) return false;
  let current: ParameterValue | undefined = bag;
  for (const key of path) {
    if (!isBag(current) || !(key in current)) return false;
    current = current[key];
  }
  return true;
}

function listAt(bag: ParameterBag, key: string): ParameterValue[] {
  const known = (bag[key] ??= []);
  if (!Array.isArray(known)) throw contradiction('Array', known, key);
  return known;
}

function hashAt(bag: ParameterBag, key: string): ParameterBag {
  const known = (bag[key] ??= emptyBag());
  if (!isBag(known)) throw contradiction('Hash', known, key);
  return known;
}

function contradiction(expected: string, known: ParameterValue, key: string) {
  const found = Array.isArray(known) ? 'Array' : isBag(known) ? 'Hash' : 'String';
  return badRequest(
    `400 Bad request - expected ${expected} (got ${found}) for param \`${key.slice(0, 100)}'`,
  );
}

/** What stands between the separators. Not `split`: a body of nothing but `&` would become millions of texts. */
function* partsOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('&', start);
    const part = text.slice(start, end < 0 ? text.length : end);
    // Rack takes blanks after a separator as a part of it.
    const trimmed = start === 0 ? part : part.replace(/^ +/, '');
    if (trimmed !== '') yield trimmed;
    start = end < 0 ? text.length : end + 1;
  }
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (error) {
    throw new DomainError(
      { kind: 'bad_request', message: '400 Bad request - invalid %-encoding' },
      { cause: error },
    );
  }
}

/** PostgreSQL and file systems cannot hold NUL; nobody sends it with good intent. */
function refuseNul(text: string, encoded = '\0'): void {
  if (text.includes('\0') || text.includes(encoded)) throw badRequest('400 Bad request - null byte');
}
