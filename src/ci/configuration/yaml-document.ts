import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type CST,
  type Document,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { ConfigurationError } from './configuration-error';

/** A hash keeps the order in which its keys are written. */
export type YamlHash = ReadonlyMap<string, YamlValue>;
export type YamlValue = string | number | boolean | null | YamlFloat | readonly YamlValue[] | YamlHash;

/** A number with a point or an exponent, which no key takes. */
export class YamlFloat {
  constructor(readonly text: string) {}
}

/** Bytes of one file. */
export const LARGEST_FILE = 256 * 1024;
/** Of one file: the parser takes some ten microseconds for each, and nothing ends it before its time but its thread. */
const MOST_TOKENS = 100_000;
/** Values, those that aliases repeat counted each time. */
const MOST_VALUES = 100_000;
const MOST_DEPTH = 100;
/** What no database holds as text. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const OTHER_TYPES = /:(?:binary|omap|pairs|set|timestamp|merge)$/;

export const isHash = (value: YamlValue | undefined): value is YamlHash => value instanceof Map;
export const isList = (value: YamlValue | undefined): value is readonly YamlValue[] => Array.isArray(value);

/** The root of a file, whose values are plain. Throws ConfigurationError. */
export function readYaml(text: string): YamlHash {
  if (Buffer.byteLength(text) > LARGEST_FILE || hasManyTokens(text))
    throw new ConfigurationError('The file is too large');
  if (UNSTORABLE.test(text)) throw invalidFormat();
  const document = firstDocument(text);
  refuseMistakes(document, text);
  const root = new Reading().value(document.contents, 0);
  if (!isHash(root)) throw invalidFormat();
  return root;
}

function hasManyTokens(text: string): boolean {
  const tokens = new Lexer().lex(text);
  for (let count = 0; count <= MOST_TOKENS; count += 1) if (tokens.next().done) return false;
  return true;
}

function firstDocument(text: string): Document.Parsed {
  const composer = new Composer({
    schema: 'yaml-1.1',
    // Sixty-based numbers and moments are text; merge keys are followed below.
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !(OTHER_TYPES.test(tag.tag) || 'TIME' === tag.format)),
    uniqueKeys: false,
    prettyErrors: false,
  });
  for (const document of composer.compose(shallow(new Parser().parse(text)))) return document;
  throw invalidFormat();
}

/**
 * The parser itself keeps count, but composing goes as deep as the text does. Where that is too deep for the stack it is
 * no error that can be caught: compiling a pattern there ends the whole process.
 */
function* shallow(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    if (token.type === 'document') requireShallow(token);
    yield token;
  }
}

function requireShallow({ value }: CST.Document): void {
  let level = value ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_DEPTH) throw tooBig();
    level = level.flatMap(partsOf);
  }
}

const partsOf = (token: CST.Token): CST.Token[] =>
  'items' in token ? token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat()) : [];

const tooBig = (): ConfigurationError => new ConfigurationError('The parsed YAML is too big');
const invalidFormat = (): ConfigurationError => new ConfigurationError('Invalid configuration format');

/** Tags of one's own mean nothing here; overlooked, they would change what a file says. */
function refuseMistakes({ errors, warnings }: Document.Parsed, text: string): void {
  const [mistake] = [...errors, ...warnings];
  if (!mistake) return;
  const before = text.slice(0, mistake.pos[0]).split('\n');
  const place = `line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1}`;
  throw new ConfigurationError(`(<unknown>): ${mistake.message} at ${place}`);
}

/** Turns one document into plain values, within bounds. */
class Reading {
  private values = 0;
  /** The node that each name stands for at this place; the parser would look for it anew for each alias. */
  private readonly anchors = new Map<string, unknown>();

  value(node: unknown, depth: number): YamlValue {
    this.values += 1;
    if (this.values > MOST_VALUES || depth > MOST_DEPTH) throw tooBig();
    if (isAlias(node)) return this.value(this.target(node.source), depth + 1);
    if (isNode(node) && 'anchor' in node && typeof node.anchor === 'string')
      this.anchors.set(node.anchor, node);
    if (isMap(node)) return this.hash(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1));
    return isScalar(node) ? scalarOf(node) : null;
  }

  private target(name: string): unknown {
    if (!this.anchors.has(name)) throw new ConfigurationError(`Unknown alias: ${name}`);
    return this.anchors.get(name);
  }

  /** As the reference's parser has it, what comes later wins, merged or not. */
  private hash(map: YAMLMap, depth: number): YamlHash {
    const hash = new Map<string, YamlValue>();
    for (const pair of map.items) {
      if (!isMergeKey(pair)) {
        hash.set(keyOf(this.value(pair.key, depth + 1)), this.value(pair.value, depth + 1));
        continue;
      }
      for (const [key, value] of this.merged(pair, depth)) hash.set(key, value);
    }
    return hash;
  }

  /** Of several, the first that has a key wins. */
  private merged({ value }: Pair, depth: number): (readonly [string, YamlValue])[] {
    const given = this.value(value, depth + 1);
    const sources = isList(given) ? given : [given];
    return sources.toReversed().flatMap((source) => {
      if (!isHash(source)) throw invalidFormat();
      return [...source];
    });
  }
}

const isMergeKey = ({ key }: Pair): boolean => isScalar(key) && key.value === '<<' && key.type === 'PLAIN';

function keyOf(key: YamlValue): string {
  if (key === null) return '';
  if (key instanceof YamlFloat) return key.text;
  if (typeof key === 'object') throw invalidFormat();
  return String(key);
}

function scalarOf({ value, source = '' }: Scalar): YamlValue {
  switch (typeof value) {
    case 'number':
      if (/[.eE]/.test(source) && !/^[-+]?0x/i.test(source)) return new YamlFloat(source);
      return Number.isSafeInteger(value) ? value : source;
    case 'boolean':
      // The reference's parser knows the longer words alone.
      return /^[yn]$/i.test(source) ? source : value;
    case 'string':
      // Written with escapes, it comes to light only now.
      if (UNSTORABLE.test(value)) throw invalidFormat();
      return value;
    default:
      return null;
  }
}
