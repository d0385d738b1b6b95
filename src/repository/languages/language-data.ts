import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';

/** One language as Linguist's data describes it. */
export interface Language {
  readonly name: string;
  /** What it counts as: dialects count as the language they belong to. */
  readonly countsAs: string;
  /** Languages of data and prose count only where a repository says so. */
  readonly isCounted: boolean;
}

/** Names of languages by what tells a file's language; extensions begin with a dot, all in lower case. */
export interface LanguageData {
  readonly byName: ReadonlyMap<string, Language>;
  readonly byFileName: ReadonlyMap<string, readonly Language[]>;
  readonly byExtension: ReadonlyMap<string, readonly Language[]>;
  readonly byInterpreter: ReadonlyMap<string, readonly Language[]>;
}

const Described = z.object({
  default: z.object({
    name: z.string(),
    type: z.string(),
    group: z.string().optional(),
    aliases: z.array(z.string()).optional(),
    filenames: z.array(z.string()).optional(),
    extensions: z.array(z.string()).optional(),
    interpreters: z.array(z.string()).optional(),
  }),
});

const PACKAGE = 'linguist-languages';
const COUNTED = new Set(['programming', 'markup']);

let loading: Promise<LanguageData> | null = null;

/**
 * Reads the data of all languages once per process, when it is first asked for. That is hundreds of small modules: one
 * in each turn of the event loop, so that requests go on meanwhile.
 */
export function languageData(): Promise<LanguageData> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<LanguageData> {
  const folder = path.join(path.dirname(require.resolve(PACKAGE)), 'data');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
  const found = {
    byName: new Map(),
    byFileName: new Map(),
    byExtension: new Map(),
    byInterpreter: new Map(),
  };
  for (const file of files) {
    const module: unknown = await import(`${PACKAGE}/data/${file.slice(0, -'.js'.length)}`);
    add(found, Described.parse(module).default);
    await nextTurn();
  }
  return found;
}

interface GrowingData {
  readonly byName: Map<string, Language>;
  readonly byFileName: Map<string, Language[]>;
  readonly byExtension: Map<string, Language[]>;
  readonly byInterpreter: Map<string, Language[]>;
}

function add(data: GrowingData, described: z.output<typeof Described>['default']): void {
  const { name, type, group, aliases = [], filenames = [], extensions = [], interpreters = [] } = described;
  const language: Language = { name, countsAs: group ?? name, isCounted: COUNTED.has(type) };
  const put = (map: Map<string, Language[]>, key: string) =>
    map.set(key, [...(map.get(key) ?? []), language]);
  for (const word of [name, ...aliases]) data.byName.set(word.toLowerCase(), language);
  for (const fileName of filenames) put(data.byFileName, fileName);
  for (const extension of extensions) put(data.byExtension, extension.toLowerCase());
  for (const interpreter of interpreters) put(data.byInterpreter, interpreter);
}
