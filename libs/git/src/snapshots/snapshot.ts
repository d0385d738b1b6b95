import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { finished, pipeline as piped } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';
import { GitCancelledError, GitProcessError, type RepositoryLocation, type Sha } from '../git';
import type { SpawnBroker } from '../processes/spawn-broker';
import { siblingOf } from '../writing/abandoned-siblings';
import { REPOSITORY_CONFIG } from '../writing/repository-config';
import { steadyRefs, type SteadyRefs, type WithWritersKeptOut } from './steady-refs';

const PACKING_MS = 3 * 60 * 60_000;
/** A repack may take a pack away while it is being read; the objects then stand in the new one. */
const MOST_ATTEMPTS = 3;
const FOLDERS = ['objects/', 'objects/info/', 'objects/pack/', 'refs/', 'refs/heads/', 'refs/tags/'];
const PACKED_REFS_HEAD = '# pack-refs with: peeled fully-peeled sorted \n';

export interface SnapshotOptions {
  readonly signal?: AbortSignal;
  readonly keepingWritersOut: WithWritersKeptOut;
}

/** What there is of a project that nobody has written anything into yet. */
export const EMPTY: SteadyRefs = { head: 'refs/heads/master', refs: [] };

/**
 * A bare repository as a tar archive: the refs of one moment and, in one pack, exactly what they reach. Nothing else of
 * the directory is in it: no configuration but our plain one, no hooks, no quarantines, no objects that nobody refers
 * to. The pack is made before the first byte is answered, as tar tells sizes first; ending the stream frees its disk.
 * Throws GitProcessError, GitLimitError, GitCancelledError.
 */
export async function snapshotOf(
  broker: SpawnBroker,
  { path: repository }: RepositoryLocation,
  { signal, keepingWritersOut }: SnapshotOptions,
): Promise<Readable> {
  const refs = await steadyRefs(broker, { repository, signal, keepingWritersOut });
  if (refs.refs.length === 0) return tarOf(refs, null, signal);
  const directory = siblingOf(repository, 'new');
  await mkdir(directory);
  try {
    await packReached({ broker, repository, directory, signal }, refs);
    return tarOf(refs, directory, signal);
  } catch (error) {
    await removeFolder(directory);
    throw error;
  }
}

/** The same for refs alone, or with the packs of a folder, which is removed when the stream has ended. */
export function tarOf(refs: SteadyRefs, packs: string | null, signal?: AbortSignal): Readable {
  const archive = pack();
  const answer = new PassThrough();
  const cancel = (): void => void answer.destroy(new GitCancelledError('cancelled'));
  signal?.addEventListener('abort', cancel, { once: true });
  // The pipeline passes every error on to the answer, whose consumer is told.
  pipeline(archive, answer, () => undefined);
  const filled = fill(archive, refs, packs).catch((error: unknown) => {
    answer.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  const over = finished(answer, { writable: false }).catch(() => undefined);
  void Promise.all([filled, over]).then(async () => {
    signal?.removeEventListener('abort', cancel);
    // What cannot be removed now the storages' sweep finds later.
    if (packs !== null) await removeFolder(packs).catch(() => undefined);
  });
  return answer;
}

interface Packing {
  readonly broker: SpawnBroker;
  readonly repository: string;
  /** Where the pack and its index are written. */
  readonly directory: string;
  readonly signal: AbortSignal | undefined;
}

async function packReached(
  { broker, repository, directory, signal }: Packing,
  refs: SteadyRefs,
): Promise<void> {
  const tips: Sha[] = [...new Set(refs.refs.map(({ sha }) => sha))];
  for (let attempt = 1; ; attempt += 1) {
    const { code, stderr } = await broker.run({
      repository,
      args: ['pack-objects', '--revs', '--quiet', '--delta-base-offset', path.join(directory, 'pack')],
      input: Buffer.from(`${tips.join('\n')}\n`),
      timeoutMs: PACKING_MS,
      signal,
      lane: 'long',
    });
    if (code === 0) return;
    if (attempt === MOST_ATTEMPTS) throw new GitProcessError('pack-objects failed', code, stderr);
  }
}

async function fill(archive: Pack, refs: SteadyRefs, packs: string | null): Promise<void> {
  const mtime = new Date();
  const text = (name: string, content: string): void =>
    void archive.entry({ name, mtime, mode: 0o644 }, content);
  text('HEAD', `ref: ${refs.head}\n`);
  text('config', REPOSITORY_CONFIG);
  for (const name of FOLDERS) archive.entry({ name, type: 'directory', mtime, mode: 0o755 });
  text('packed-refs', packedRefs(refs));
  for (const name of packs === null ? [] : await packFiles(packs)) {
    const file = path.join(packs ?? '', name);
    const { size } = await stat(file);
    const entry = archive.entry({ name: `objects/pack/${name}`, size, mtime, mode: 0o444 });
    await piped(createReadStream(file), entry);
  }
  archive.finalize();
}

/** The index comes last: whoever looks at what was extracted so far finds no index without its pack. */
async function packFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /^pack-[0-9a-f]{40}\.(?:pack|rev|idx)$/.test(name));
  return names.sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')));
}

const packedRefs = ({ refs }: SteadyRefs): string =>
  PACKED_REFS_HEAD +
  refs.map(({ ref, sha, peeled }) => `${sha} ${ref}\n${peeled === null ? '' : `^${peeled}\n`}`).join('');

const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });
