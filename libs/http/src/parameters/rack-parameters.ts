import { badRequest, DomainError } from '#libs/errors';
import { type NameStep, readName } from './rack-name';
import { TimeSlices } from './time-slices';
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
  const form = new RackForm();
  for (const part of partsOf(text)) {
    if (part === '') continue;
    const { name, value } = pairOf(part);
    form.add(decode(name), value === null ? null : decode(value));
  }
  return form.bag;
}

/** As `parseRack`, for large forms: in slices between which the event loop turns. */
export async function parseLargeRack(text: string): Promise<ParameterBag> {
  const form = new RackForm();
  const slices = new TimeSlices();
  const decodeLong = async (encoded: string): Promise<string> => {
    let decoded = '';
    for (const piece of decodablePieces(encoded)) {
      const text = decode(piece);
      refuseNul(text);
      decoded += text;
      if (slices.isOver(piece.length)) await slices.rest();
    }
    return decoded;
  };
  for (const part of partsOf(text)) {
    if (slices.isOver(1)) await slices.rest();
    if (part === '') continue;
    const { name, value } = pairOf(part);
    form.add(await decodeLong(name), value === null ? null : await decodeLong(value));
  }
  return form.bag;
}

/** The parameters of one query or form, as they come. */
class RackForm {
  readonly bag = emptyBag();
  private readonly names = new Map<string, NameStep>();
  private count = 0;

  add(name: string, value: string | null): void {
    if (++this.count > PARAMETER_COUNT_LIMIT) throw badRequest('400 Bad request - too many parameters');
    const step = this.names.get(name) ?? readName(name);
    this.names.set(name, step);
    add(this.bag, name, step, value);
  }
}

function pairOf(part: string): { name: string; value: string | null } {
  const equals = part.indexOf('=');
  return equals < 0
    ? { name: part, value: null }
    : { name: part.slice(0, equals), value: part.slice(equals + 1) };
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

/** What stands between the separators, be it nothing. Not `split`: a body of nothing but `&` would become millions of texts. */
function* partsOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('&', start);
    const part = text.slice(start, end < 0 ? text.length : end);
    // Rack takes blanks after a separator as a part of it.
    yield start === 0 ? part : part.replace(/^ +/, '');
    start = end < 0 ? text.length : end + 1;
  }
}

/** In characters: decoded in a moment. */
const PIECE_LENGTH = 64 * 1024;

/** The longest %-encoding of one character, four bytes, and a bit. */
const LONGEST_CHARACTER = 16;

/** Cuts a text where no %-encoded character is torn apart. Badly encoded text may be: it is refused anyway. */
function* decodablePieces(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = start + PIECE_LENGTH >= text.length ? text.length : cutBefore(text, start + PIECE_LENGTH);
    yield text.slice(start, end);
    start = end;
  }
}

function cutBefore(text: string, latest: number): number {
  for (let cut = latest; cut > latest - LONGEST_CHARACTER; cut--) {
    const isInByte = text[cut - 1] === '%' || text[cut - 2] === '%';
    // Bytes from 80 to BF continue a character.
    const isInCharacter = text[cut] === '%' && /[89ab]/i.test(text[cut + 1] ?? '');
    if (!isInByte && !isInCharacter) return cut;
  }
  return latest;
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
