import type { GitFixture } from '#libs/testing';

/** One line of a file and the commit that it came from. */
export type BlamedLine = readonly [sha: string, text: string];

/** A file of a diff as the API presents it. */
export interface ExpectedDiff {
  readonly old_path: string;
  readonly new_path: string;
  readonly a_mode: string;
  readonly b_mode: string;
  readonly new_file: boolean;
  readonly renamed_file: boolean;
  readonly deleted_file: boolean;
  readonly diff: string;
  readonly too_large?: true;
}

const NO_MODE = '000000';
const shown = (mode: string): string => (mode === NO_MODE ? '0' : mode);

/** What the git command line says, in the words of the API. */
export class GitOracle {
  constructor(private readonly fixture: GitFixture) {}

  git(...args: string[]): Promise<string> {
    return this.fixture.git(...args);
  }

  async lines(...args: string[]): Promise<string[]> {
    return (await this.git(...args)).split('\n').filter(Boolean);
  }

  commits(): Promise<string[]> {
    return this.lines('rev-list', '--branches', '--tags');
  }

  /** Every path that is or was a file, UTF-8 names alone. */
  async paths(): Promise<string[]> {
    const log = await this.fixture.gitBytes([
      'log',
      '--branches',
      '--tags',
      '--format=',
      '--name-only',
      '--no-renames',
      '-z',
    ]);
    return [...new Set(log.toString().split('\0'))]
      .map((path) => path.trim())
      .filter((path) => path && !path.includes('\ufffd'));
  }

  /** Paths of the files that a commit holds. */
  async filesOf(sha: string): Promise<string[]> {
    const listing = (await this.fixture.gitBytes(['ls-tree', '-r', '-z', '--name-only', sha])).toString();
    return listing.split('\0').filter((path) => path && !path.includes('\ufffd'));
  }

  /** Blob at a path; null where there is no file. */
  async file(sha: string, path: string): Promise<{ blob: string; bytes: Buffer } | null> {
    const [entry] = (await this.fixture.gitBytes(['--literal-pathspecs', 'ls-tree', '-z', sha, '--', path]))
      .toString()
      .split('\0');
    const [, type, blob] = entry?.split(/[ \t]/) ?? [];
    if (type !== 'blob' || blob === undefined) return null;
    return { blob, bytes: await this.fixture.gitBytes(['cat-file', 'blob', blob]) };
  }

  lastCommit(sha: string, path: string): Promise<string> {
    return this.git('--literal-pathspecs', 'rev-list', '-n1', sha, '--', path);
  }

  async blame(sha: string, path: string): Promise<BlamedLine[]> {
    const output = (await this.fixture.gitBytes(['blame', '--line-porcelain', sha, '--', path])).toString();
    const blamed: BlamedLine[] = [];
    let commit = '';
    for (const line of output.split('\n')) {
      if (line.startsWith('\t')) blamed.push([commit, line.slice(1)]);
      else commit = /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? commit;
    }
    return blamed;
  }

  /** Fields of the commit's record that git prints itself; the times in seconds. */
  async commit(sha: string): Promise<{ record: object; authored: number; committed: number }> {
    const format = '%H%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%P';
    const [id, an, ae, at, cn, ce, ct, parents] = (
      await this.git('log', '-1', `--format=${format}`, sha)
    ).split('\0');
    const raw = (await this.fixture.gitBytes(['cat-file', 'commit', sha])).toString();
    const record = {
      id,
      message: raw.slice(raw.indexOf('\n\n') + 2),
      author_name: an,
      author_email: ae,
      committer_name: cn,
      committer_email: ce,
      parent_ids: parents?.split(' ').filter(Boolean),
    };
    return { record, authored: Number(at), committed: Number(ct) };
  }

  async stats(sha: string): Promise<{ additions: number; deletions: number; total: number }> {
    let [additions, deletions] = [0, 0];
    for (const line of await this.lines('diff-tree', '-r', '-M', '--numstat', ...(await this.pair(sha)))) {
      const [added, deleted] = line.split('\t');
      // Of a binary file git prints "-".
      additions += Number(added) || 0;
      deletions += Number(deleted) || 0;
    }
    return { additions, deletions, total: additions + deletions };
  }

  async diff(sha: string): Promise<ExpectedDiff[]> {
    const pair = await this.pair(sha);
    const raw = (await this.fixture.gitBytes(['diff-tree', '-r', '-M', '--raw', '-z', ...pair]))
      .toString()
      .split('\0');
    const patch = (
      await this.fixture.gitBytes(['diff-tree', '-r', '-M', '-p', '--full-index', ...pair])
    ).toString();
    const texts = patch
      .split(/^diff --git .*\n/m)
      .slice(1)
      .map(textOf);
    return entriesOf(raw).map((entry, index) => ({ ...entry, ...shownText(texts[index] ?? '') }));
  }

  /** The two trees that the commit's diff compares. */
  private async pair(sha: string): Promise<[string, string]> {
    const [, parent] = (await this.git('rev-list', '--parents', '-n1', sha)).split(' ');
    const empty = await this.git('hash-object', '-t', 'tree', '/dev/null');
    return [parent === undefined ? empty : `${parent}^{tree}`, `${sha}^{tree}`];
  }
}

/** The service answers no text for a file whose difference is above a mebibyte, and says so. */
const MOST_SHOWN = 1024 * 1024;
const shownText = (diff: string): Pick<ExpectedDiff, 'diff' | 'too_large'> =>
  Buffer.byteLength(diff) > MOST_SHOWN ? { diff: '', too_large: true } : { diff };

function entriesOf(raw: readonly string[]): Omit<ExpectedDiff, 'diff' | 'too_large'>[] {
  const entries: Omit<ExpectedDiff, 'diff' | 'too_large'>[] = [];
  for (let at = 0; raw[at]?.startsWith(':');) {
    const [oldMode = '', newMode = '', , , status = ''] = raw[at]?.slice(1).split(' ') ?? [];
    const isRenamed = status.startsWith('R');
    const [oldPath = '', newPath = ''] = isRenamed ? [raw[at + 1], raw[at + 2]] : [raw[at + 1], raw[at + 1]];
    at += isRenamed ? 3 : 2;
    const plain = {
      old_path: oldPath,
      new_path: newPath,
      a_mode: shown(oldMode),
      b_mode: shown(newMode),
      new_file: status === 'A',
      renamed_file: isRenamed,
      deleted_file: status === 'D',
    };
    // A file that becomes a link has two patches, and is shown as one that went and one that came.
    if (status !== 'T') entries.push(plain);
    else
      entries.push({ ...plain, b_mode: '0', deleted_file: true }, { ...plain, a_mode: '0', new_file: true });
  }
  return entries;
}

/** A patch from its first hunk on. */
function textOf(patch: string): string {
  const start = /^(?:@@|Binary files )/m.exec(patch)?.index;
  return start === undefined ? '' : patch.slice(start);
}
