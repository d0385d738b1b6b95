import { ConfigurationError } from './configuration-error';
import { Merging } from './extensions';
import { isHash, isList, readYaml, type YamlHash, type YamlValue } from './yaml-document';

const MOST_FILES = 50;

/** Reads a file of the project at the pipeline's commit; null where there is none. */
export type ReadFile = (path: string) => Promise<string | null>;

/**
 * A configuration with the files it includes merged in: what stands in the file itself wins, and of two files the later
 * one. Only files of the project are included. Without a project there is nothing to read, and `read` is null.
 * Throws ConfigurationError.
 */
export async function withInclusions(root: YamlHash, read: ReadFile | null): Promise<YamlHash> {
  return new Inclusion(read).complete(root);
}

class Inclusion {
  private readonly seen = new Set<string>();
  private readonly merging = new Merging();

  constructor(private readonly read: ReadFile | null) {}

  async complete(root: YamlHash): Promise<YamlHash> {
    if (!root.has('include')) return root;
    let merged: YamlHash = new Map();
    for (const place of placesOf(root.get('include') ?? null)) {
      if (this.seen.has(place)) throw new ConfigurationError(`Include \`${place}\` was already included!`);
      if (this.seen.size === MOST_FILES)
        throw new ConfigurationError(`Maximum of ${MOST_FILES} nested includes are allowed!`);
      this.seen.add(place);
      merged = this.merging.merged(merged, await this.complete(await this.file(place)));
    }
    const own = new Map(root);
    own.delete('include');
    return this.merging.merged(merged, own);
  }

  private async file(place: string): Promise<YamlHash> {
    if (!/\.ya?ml$/.test(place))
      throw new ConfigurationError(`Included file \`${place}\` does not have YAML extension!`);
    if (!this.read) throw new ConfigurationError(`Local file \`${place}\` does not have project!`);
    const text = await this.read(place.replace(/^\/+/, ''));
    if (text === null) throw new ConfigurationError(`Local file \`${place}\` does not exist!`);
    if (text.trim() === '') throw new ConfigurationError(`Local file \`${place}\` is empty!`);
    try {
      return readYaml(text);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      throw new ConfigurationError(`Included file \`${place}\` does not have valid YAML syntax!`, {
        cause: error,
      });
    }
  }
}

function placesOf(given: YamlValue): readonly string[] {
  const all = isList(given) ? given : [given];
  return all.map(placeOf);
}

/** Other projects, other servers and templates are not looked at. */
function placeOf(given: YamlValue): string {
  const local = isHash(given) && given.size === 1 ? given.get('local') : given;
  if (typeof local === 'string' && !/^https?:\/\//.test(local)) return local;
  const shown = isHash(given) ? [...given.keys()].join(', ') : JSON.stringify(given);
  throw new ConfigurationError(`Include \`${shown}\` is not supported: only \`local\` files can be included`);
}
