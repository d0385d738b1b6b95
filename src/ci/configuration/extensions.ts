import { ConfigurationError } from './configuration-error';
import { isHash, isList, YamlFloat, type YamlHash, type YamlValue } from './yaml-document';

const MOST_LEVELS = 10;
/** Keys that are copied for one configuration, the same one counted each time. */
const MOST_KEYS = 500_000;

/** The entries of a configuration with what they extend merged into them. Throws ConfigurationError. */
export function withExtensions(root: YamlHash): YamlHash {
  const at: Extending = { root, known: new Map(), merging: new Merging() };
  const result = new Map<string, YamlValue>();
  for (const [name, value] of root) {
    result.set(name, isHash(value) ? extended(at, name, value, []) : value);
  }
  return result;
}

interface Extending {
  readonly root: YamlHash;
  /** Entries that are complete. */
  readonly known: Map<string, YamlHash>;
  readonly merging: Merging;
}

function extended(at: Extending, name: string, entry: YamlHash, heirs: readonly string[]): YamlHash {
  const done = at.known.get(name);
  if (done) return done;
  const bases = basesOf(entry);
  if (!bases) return entry;
  refuseMistakes(at.root, name, bases, heirs);
  let merged: YamlHash = new Map();
  for (const base of bases) {
    const value = at.root.get(base);
    if (isHash(value)) merged = at.merging.merged(merged, extended(at, base, value, [...heirs, name]));
  }
  const complete = at.merging.merged(merged, entry);
  at.known.set(name, complete);
  return complete;
}

/** Null for an entry that extends nothing. */
function basesOf(entry: YamlHash): readonly string[] | null {
  const given = entry.get('extends') ?? null;
  if (given === null) return null;
  return (isList(given) ? given : [given]).map(nameOf);
}

/** What is no text names no entry, and is shown as one that is unknown. */
const nameOf = (base: YamlValue): string => {
  if (base instanceof YamlFloat) return base.text;
  return isList(base) || isHash(base) ? '...' : String(base);
};

function refuseMistakes(
  root: YamlHash,
  name: string,
  bases: readonly string[],
  heirs: readonly string[],
): void {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(`${name}: ${problem}`);
  };
  const unknown = bases.filter((base) => !root.has(base));
  if (unknown.length > 0) refuse(`unknown keys in \`extends\` (${unknown.join(', ')})`);
  const invalid = bases.filter((base) => !isHash(root.get(base)));
  if (invalid.length > 0) refuse(`invalid base hashes in \`extends\` (${invalid.join(', ')})`);
  if (heirs.length > MOST_LEVELS) refuse('nesting too deep in `extends`');
  if (heirs.includes(name) || bases.includes(name)) refuse('circular dependency detected in `extends`');
}

/** Hashes are merged key by key; of anything else the later one stays. Throws ConfigurationError where it is too much. */
export class Merging {
  private keys = 0;

  merged(earlier: YamlHash, later: YamlHash): YamlHash {
    this.keys += earlier.size + later.size;
    if (this.keys > MOST_KEYS) throw new ConfigurationError('The parsed YAML is too big');
    const merged = new Map(earlier);
    for (const [key, value] of later) {
      const before = merged.get(key);
      merged.set(key, isHash(before) && isHash(value) ? this.merged(before, value) : value);
    }
    return merged;
  }
}
