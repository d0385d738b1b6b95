import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { canEnter, type Account } from './account';
import { StartupError } from './startup-error';

/** Where one embedded server keeps its things. */
export interface ClusterFolder {
  /** Holds everything below; carries the major version, as a data folder fits one only. */
  readonly root: string;
  readonly data: string;
  readonly log: string;
  /** The superuser's password, readable by the owner of the service only. */
  readonly password: string;
  /** One folder per running server: its users' pipe and their registrations. */
  readonly run: string;
}

const layout = (root: string): ClusterFolder => ({
  root,
  data: path.join(root, 'data'),
  log: path.join(root, 'log'),
  password: path.join(root, 'password'),
  run: path.join(root, 'run'),
});

export const clusterIn = (base: string, major: number): ClusterFolder =>
  layout(path.join(base, `pg${major}`));

/**
 * The folder that holds the cluster: inside the data directory, or, when the server's account cannot reach
 * that, under `systemFolder` in a folder named after the data directory. Creates it.
 * Throws StartupError when it holds the cluster of another major version.
 */
export function clusterBase(dataDir: string, systemFolder: string, account: Account | undefined): string {
  mkdirSync(dataDir, { recursive: true });
  const home = realpathSync(dataDir);
  const reachable = !account || canEnter(home, account);
  const base = reachable ? path.join(home, 'postgres') : path.join(systemFolder, nameOf(home));
  mkdirSync(base, { recursive: true, mode: 0o711 });
  if (account) chmodSync(base, 0o711);
  // The server reports its folder without links, and is recognised by it.
  return realpathSync(base);
}

const nameOf = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 12);

/** Throws StartupError when only a cluster of another major version lies here: starting would lose its data. */
export function refuseOtherMajor(base: string, major: number): void {
  if (existsSync(clusterIn(base, major).root)) return;
  const other = readdirSync(base).find((name) => /^pg\d+$/.test(name));
  if (!other) return;
  throw new StartupError(
    `${base} holds a cluster of PostgreSQL ${other.slice(2)}, and the installed binaries are version ${major}. ` +
      `Move its data with pg_dump of version ${other.slice(2)}, or install those binaries and set PGBIN.`,
  );
}

/** Makes a folder that the server's account owns and nobody else enters. */
export function makePrivateFolder(folder: string, account: Account | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
}
