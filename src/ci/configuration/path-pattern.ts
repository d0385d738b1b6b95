import { RE2JS, RE2JSException } from 're2js';
import { requireTime } from './deadline';

const LONGEST = 1_000;
/** Alternatives in braces multiply; deeper ones are taken literally. */
const MOST_BRACES = 10;

/** Has a list of patterns fit paths as a shell's do: `*` stays within a folder, a leading `**` folder does not. */
export class PathPatterns {
  private readonly literals: ReadonlySet<string>;
  private readonly compiled: readonly RE2JS[];

  constructor(patterns: readonly string[]) {
    const [plain, wild] = [patterns.filter((text) => !isWild(text)), patterns.filter(isWild)];
    this.literals = new Set(plain);
    this.compiled = wild.flatMap((text) => compile(text) ?? []);
  }

  /** How many of the patterns are more than a path. */
  get wildCount(): number {
    return this.compiled.length;
  }

  fitAny(paths: Iterable<string>): boolean {
    for (const path of paths) if (this.fit(path)) return true;
    return false;
  }

  private fit(path: string): boolean {
    requireTime();
    return this.literals.has(path) || this.compiled.some((pattern) => pattern.matches(path));
  }
}

const isWild = (text: string): boolean => /[*?[{\\]/.test(text);

function compile(text: string): RE2JS | null {
  if (text.length > LONGEST) return null;
  requireTime();
  try {
    return RE2JS.compile(expressionOf(text), RE2JS.DOTALL);
  } catch (error) {
    // A class such as [z-a] fits nothing, as in a shell.
    if (error instanceof RE2JSException) return null;
    throw error;
  }
}

const PIECE = /\*\*\/|\*+|\?|\[[!^]?\]?[^\]/]*\]|\\.|[{},]|[^*?[\\{},]+|[\s\S]/gy;

/** The same as a regular expression. */
function expressionOf(text: string): string {
  let open = 0;
  let made = '';
  let isAtStartOfFolder = true;
  const hasClosedBraces =
    text.split('{').length === text.split('}').length && text.split('{').length <= MOST_BRACES;
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece === '**/' && isAtStartOfFolder) made += '(?:[^/]+/)*';
    else if (piece.startsWith('**/')) made += '[^/]*/';
    else if (piece.startsWith('*')) made += '[^/]*';
    else if (piece === '?') made += '[^/]';
    else if (piece.length > 1 && piece.startsWith('[')) made += classOf(piece);
    else if (piece.length > 1 && piece.startsWith('\\')) made += RE2JS.quote(piece.slice(1));
    else if (piece === '{' && hasClosedBraces) [made, open] = [`${made}(?:`, open + 1];
    else if (piece === '}' && open > 0) [made, open] = [`${made})`, open - 1];
    else if (piece === ',' && open > 0) made += '|';
    else made += RE2JS.quote(piece);
    isAtStartOfFolder = piece.endsWith('/');
  }
  return made + ')'.repeat(open);
}

function classOf(piece: string): string {
  const inner = piece.slice(1, -1);
  const isNegated = /^[!^]/.test(inner);
  const members = (isNegated ? inner.slice(1) : inner).replaceAll(/[\\[\]&^]/g, '\\$&');
  return isNegated ? `[^${members}/]` : `[${members}]`;
}
