import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GitReader, Sha, TreeEntry } from '#libs/git';
import { LRUCache } from 'lru-cache';
import { exclusionOf, isExcludedFolder } from './excluded-paths';
import { languageOf } from './file-language';
import type { Language, LanguageData } from './language-data';
import type { LinguistAttributes } from './linguist-attributes';

/** Bytes by name of language. */
export type LanguageBytes = ReadonlyMap<string, number>;

/** As the reference, which tells no languages of larger repositories. */
const MOST_FILES = 100_000;
/** Deeper folders are passed over. */
const DEEPEST = 64;
/** Larger files are taken by their name alone. */
const LARGEST_READ = 512 * 1024;
const BEGINNING = 16 * 1024;
const AT_ONCE = 32;

interface FolderLanguages {
  readonly files: number;
  readonly bytes: LanguageBytes;
}

const NOTHING: FolderLanguages = { files: 0, bytes: new Map() };

/**
 * What is known of folders, by their content, path and the attributes that hold: after a small commit the folders on
 * the way to what it changed alone are looked through again. Shared by all projects, so forks cost nothing.
 */
const known = new LRUCache<string, FolderLanguages>({ max: 20_000 });

/** A repository has more files than languages are told of. */
export class TooManyFiles extends Error {}

/** Looks through the files of one commit. */
export class LanguageWalk {
  private files = 0;

  constructor(
    private readonly repository: GitReader,
    private readonly commit: Sha,
    private readonly data: LanguageData,
    private readonly attributes: { readonly sha: Sha | null; readonly rules: LinguistAttributes },
  ) {}

  /** Throws TooManyFiles. */
  async bytes(): Promise<LanguageBytes> {
    return (await this.folder('')).bytes;
  }

  private async folder(path: string): Promise<FolderLanguages> {
    const entries = (await this.repository.tree(this.commit, path, { recursive: false })) ?? [];
    const found = [await this.filesOf(entries.filter(isPlainFile))];
    for (const entry of entries.filter(({ type }) => type === 'tree'))
      found.push(await this.subfolder(entry));
    return sum(found);
  }

  private async subfolder({ sha, path }: TreeEntry): Promise<FolderLanguages> {
    if (path.split('/').length > DEEPEST) return NOTHING;
    if (this.attributes.rules.isEmpty && isExcludedFolder(path)) return NOTHING;
    const key = `${sha}\0${this.attributes.sha ?? ''}\0${path}`;
    const before = known.get(key);
    if (before) {
      this.count(before.files);
      return before;
    }
    const found = await this.folder(path);
    known.set(key, found);
    return found;
  }

  private async filesOf(files: readonly TreeEntry[]): Promise<FolderLanguages> {
    this.count(files.length);
    const bytes = new Map<string, number>();
    for (let start = 0; start < files.length; start += AT_ONCE) {
      const some = files.slice(start, start + AT_ONCE);
      for (const { name, size } of await Promise.all(some.map((file) => this.file(file)))) {
        if (size > 0) bytes.set(name, (bytes.get(name) ?? 0) + size);
      }
      await nextTurn();
    }
    return { files: files.length, bytes };
  }

  private count(files: number): void {
    this.files += files;
    if (this.files > MOST_FILES) throw new TooManyFiles();
  }

  private async file({ path, sha }: TreeEntry): Promise<{ name: string; size: number }> {
    const overrides = this.attributes.rules.of(path);
    const exclusion = exclusionOf(path);
    const isOut = (['vendored', 'generated', 'documentation'] as const).some(
      (kind) => overrides[kind] ?? exclusion === kind,
    );
    const language = isOut ? null : await this.language(path, sha, overrides.language);
    if (language === null || !(overrides.detectable ?? language.isCounted)) return { name: '', size: 0 };
    return { name: language.countsAs, size: (await this.repository.blobSize(sha)) ?? 0 };
  }

  private language(
    path: string,
    sha: Sha,
    stated: string | undefined,
  ): Promise<Language | null> | Language | null {
    const known = stated === undefined ? undefined : this.data.byName.get(stated.toLowerCase());
    return known ?? languageOf(path, this.data, () => this.beginning(sha));
  }

  private async beginning(sha: Sha): Promise<string | null> {
    const size = await this.repository.blobSize(sha);
    if (size === null || size > LARGEST_READ) return '';
    const start = (await this.repository.blob(sha)).subarray(0, BEGINNING);
    return start.includes(0) ? null : start.toString('utf8');
  }
}

/** Neither a link nor a submodule. */
const isPlainFile = ({ mode }: TreeEntry): boolean => mode.startsWith('100');

function sum(folders: readonly FolderLanguages[]): FolderLanguages {
  const bytes = new Map<string, number>();
  for (const folder of folders)
    for (const [name, size] of folder.bytes) bytes.set(name, (bytes.get(name) ?? 0) + size);
  return { files: folders.reduce((all, { files }) => all + files, 0), bytes };
}
