import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runAs, type Account } from './account';
import type { Binaries } from './binaries';
import { clusterIn, makePrivateFolder, type ClusterFolder } from './cluster-folder';
import { StartupError } from './startup-error';

/** First version with PostgreSQL's own Unicode collation, independent of the machine's C library. */
const BUILTIN_LOCALE_SINCE = 17;
const CHECKSUMS_BY_DEFAULT_SINCE = 18;
const INITDB_LIMIT_MS = 120_000;

/**
 * The cluster in `base`, created when missing: made aside and renamed into place, so that a crash leaves no
 * half-made cluster and of several processes starting together exactly one wins.
 */
export async function openCluster(
  base: string,
  binaries: Binaries,
  account: Account | undefined,
  throwaway: boolean,
): Promise<ClusterFolder> {
  const cluster = clusterIn(base, binaries.major);
  if (existsSync(cluster.root)) return cluster;
  const aside = clusterIn(path.join(base, `new-${randomBytes(6).toString('hex')}`), binaries.major);
  await mkdir(path.dirname(aside.root), { mode: 0o711 });
  try {
    await create(aside, binaries, account, throwaway);
    await putInPlace(aside, cluster, base);
  } finally {
    await rm(path.dirname(aside.root), { recursive: true, force: true });
  }
  return cluster;
}

async function create(
  cluster: ClusterFolder,
  binaries: Binaries,
  account: Account | undefined,
  throwaway: boolean,
): Promise<void> {
  const password = randomBytes(24).toString('hex');
  await mkdir(cluster.root, { mode: 0o711 });
  await chmod(path.dirname(cluster.root), 0o711);
  await chmod(cluster.root, 0o711);
  for (const folder of [cluster.data, cluster.log, cluster.run]) makePrivateFolder(folder, account);
  await writeFile(cluster.password, password, { mode: 0o600, flush: true });
  // initdb runs as the server's account, which cannot read the file above.
  const handover = path.join(cluster.run, 'password');
  await writeFile(handover, password, { mode: 0o600 });
  if (account) chownSync(handover, account.uid, account.gid);
  await runInitdb(cluster, binaries, account, handover, throwaway);
  await rm(handover);
}

async function putInPlace(aside: ClusterFolder, cluster: ClusterFolder, base: string): Promise<void> {
  try {
    await rename(aside.root, cluster.root);
  } catch (error) {
    // Another process was first: its cluster is as good.
    if (!existsSync(cluster.data)) throw error;
    return;
  }
  const folder = await open(base, 'r');
  await folder.sync().finally(() => folder.close());
}

function runInitdb(
  cluster: ClusterFolder,
  binaries: Binaries,
  account: Account | undefined,
  passwordFile: string,
  throwaway: boolean,
): Promise<void> {
  const options = [
    ...['-D', cluster.data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
    ...['-E', 'UTF8', '--locale=C', '--no-instructions'],
    ...(binaries.major >= BUILTIN_LOCALE_SINCE
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : []),
    ...(throwaway ? ['--no-sync'] : ['--data-checksums']),
    ...(throwaway && binaries.major >= CHECKSUMS_BY_DEFAULT_SINCE ? ['--no-data-checksums'] : []),
  ];
  const child = spawn(binaries.initdb, options, {
    ...runAs(account),
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: INITDB_LIMIT_MS,
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4_000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new StartupError('initdb does not run.', { cause: error })));
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new StartupError(`initdb failed: ${complaint.trim()}`)),
    );
  });
}
