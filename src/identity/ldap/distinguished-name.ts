/** One `attribute=value`; a value that stands in hexadecimal (`#04...`) is kept as it is. */
interface Assertion {
  readonly attribute: string;
  readonly value: string;
  readonly isHex: boolean;
}

const ATTRIBUTE = /^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)*)$/;
const HEX_PAIR = /^[0-9a-f]{2}$/i;
const SPECIAL = /[,+"\\<>;=#]/g;

/** What has nothing to normalise but letter case, as nearly all names: groups have thousands. */
const PLAIN_PART = /[a-z][a-z0-9-]*=[^,+"\\<>;=#\s\0](?:[^,+"\\<>;=#\0]*[^,+"\\<>;=#\s\0])?/.source;
const PLAIN = new RegExp(`^${PLAIN_PART}(?:,${PLAIN_PART})*$`);

/**
 * The one spelling of a distinguished name (RFC 4514) under which accounts are kept: directories tell the same name
 * with other letter case, spaces and escapes. Null for what is no name.
 */
export function normalizedDn(text: string): string | null {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  const parts = split(text, ',;');
  if (text.trim() === '' || parts === null) return null;
  const names: string[] = [];
  for (const part of parts) {
    const assertions = split(part, '+')?.map(assertionOf) ?? [null];
    const known = assertions.filter((assertion) => assertion !== null);
    if (known.length < assertions.length) return null;
    names.push(known.map(written).sort().join('+'));
  }
  return names.join(',');
}

/** Cuts at the separators that are neither escaped nor quoted; null when a quote or escape does not end. */
function split(text: string, separators: string): string[] | null {
  const pieces: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && separators.includes(character)) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
    if (at >= text.length) return null;
  }
  if (isQuoted) return null;
  pieces.push(text.slice(start));
  return pieces;
}

function assertionOf(text: string): Assertion | null {
  const equals = text.indexOf('=');
  const attribute = text
    .slice(0, Math.max(equals, 0))
    .trim()
    .toLowerCase()
    .replace(/^oid\./, '');
  if (!ATTRIBUTE.test(attribute)) return null;
  const given = trimmed(text.slice(equals + 1));
  if (given.startsWith('#')) {
    return /^#(?:[0-9a-f]{2})+$/i.test(given) ? { attribute, value: given.toLowerCase(), isHex: true } : null;
  }
  const quoted = /^"([\s\S]*)"$/.exec(given)?.[1];
  const value = unescaped(quoted ?? given);
  return value === null ? null : { attribute, value: value.toLowerCase(), isHex: false };
}

/** Spaces around a value mean nothing, unless the last one is escaped. */
function trimmed(value: string): string {
  const left = value.trimStart();
  const right = left.trimEnd();
  const isEscaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(right);
  return isEscaped && right.length < left.length ? `${right} ` : right;
}

/** Escapes are a character, or bytes of UTF-8 in hexadecimal. */
function unescaped(text: string): string | null {
  const bytes: Buffer[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character !== '\\') {
      bytes.push(Buffer.from(character, 'utf16le'));
      continue;
    }
    const run = hexRun(text, at);
    if (run.length > 0) {
      const decoded = decode(run);
      if (decoded === null) return null;
      bytes.push(Buffer.from(decoded, 'utf16le'));
      at += run.length * 3 - 1;
      continue;
    }
    at++;
    bytes.push(Buffer.from(text.charAt(at), 'utf16le'));
  }
  return Buffer.concat(bytes).toString('utf16le');
}

/** The bytes of `\c3\a9...` that begin at a place. */
function hexRun(text: string, start: number): number[] {
  const bytes: number[] = [];
  for (let at = start; text.charAt(at) === '\\'; at += 3) {
    const pair = text.slice(at + 1, at + 3);
    if (!HEX_PAIR.test(pair)) break;
    bytes.push(Number.parseInt(pair, 16));
  }
  return bytes;
}

function decode(bytes: readonly number[]): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

function written({ attribute, value, isHex }: Assertion): string {
  if (isHex) return `${attribute}=${value}`;
  const escaped = value.replace(SPECIAL, '\\$&').replace(/\0/g, '\\00').replace(/^ | $/g, '\\ ');
  return `${attribute}=${escaped}`;
}
