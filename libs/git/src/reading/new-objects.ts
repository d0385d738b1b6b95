import type { NewBlob, NewPath, Sha } from '../git';
import { RepositoryCommands } from '../processes/repository-commands';
import type { RepositoryContext } from '../repository-context';
import { assertSha } from './sha-arguments';
import { piecesOf } from './stream-pieces';

const WALK_TIMEOUT_MS = 60_000;
/**
 * What comes by standard input is wanted, and what any ref reaches is not: `--not` is for what follows it alone. What
 * only a merge request has brought from elsewhere has never been judged here, and counts as new.
 */
const NEW = ['--stdin', '--not', '--exclude=refs/merge-requests/*', '--all'] as const;

/** "<type> <size> <path>", as `TYPE_SIZE_PATH` asks for; what has no path has a blank at its end. */
const BLOB = /^blob (\d+) (.*)$/s;
const TYPE_SIZE_PATH = '--batch-check=%(objecttype) %(objectsize) %(rest)';
/** The letters that end a raw line, one for each parent. */
const NEW_TO_ALL = / A+$/;

/** What a change brings to a repository: all that its new tips reach and no ref does. */
export class NewObjects {
  private readonly commands: RepositoryCommands;

  constructor(context: RepositoryContext) {
    this.commands = new RepositoryCommands(context);
  }

  async commits(tips: readonly Sha[], most: number): Promise<Sha[]> {
    return this.commands.lines(['rev-list', `--max-count=${most}`, ...NEW], {
      input: linesOf(tips),
      timeoutMs: WALK_TIMEOUT_MS,
    });
  }

  /** Renames are not looked for: so each new name shows as an added file. */
  async *paths(commits: readonly Sha[]): AsyncGenerator<NewPath> {
    if (commits.length === 0) return;
    const args = ['diff-tree', '--stdin', '-r', '-c', '--root', '--no-renames', '--raw', '-z'];
    const output = await this.commands.stream(args, linesOf(commits));
    let commit = '';
    let entry: string | null = null;
    for await (const piece of piecesOf(output, '\0')) {
      // A raw line is followed by its path, whatever that looks like; a commit's name stands before its raw lines.
      if (entry !== null) {
        if (NEW_TO_ALL.test(entry)) yield { commit, path: piece };
        entry = null;
      } else if (piece.startsWith(':')) entry = piece;
      else commit = piece;
    }
  }

  /** One git lists the objects, another measures them: nothing of it stays in this process. */
  async blobAbove(tips: readonly Sha[], bytes: number): Promise<NewBlob | null> {
    const objects = await this.commands.stream(['rev-list', '--objects', ...NEW], linesOf(tips));
    const measuring = this.commands.stream(['cat-file', '--buffer', TYPE_SIZE_PATH], objects);
    const measured = await measuring.catch((error: unknown) => {
      objects.destroy();
      throw error;
    });
    for await (const line of piecesOf(measured, '\n')) {
      const [, size, path] = BLOB.exec(line) ?? [];
      if (size !== undefined && path !== undefined && Number(size) > bytes)
        return { path, size: Number(size) };
    }
    return null;
  }
}

function linesOf(shas: readonly Sha[]): Buffer {
  shas.forEach(assertSha);
  return Buffer.from(shas.map((sha) => `${sha}\n`).join(''));
}
