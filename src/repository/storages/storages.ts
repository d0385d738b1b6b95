import path from 'node:path';
import type { RepositoryLocation } from '#libs/git';
import { createHash } from 'node:crypto';

/** Where a project's repository is kept. */
export interface StoredRepository {
  readonly repositoryStorage: string;
  readonly diskPath: string;
}

/** The named directories that hold repositories; each may be a file system shared by all nodes. */
export class Storages {
  /** @param directories absolute path by storage name; the first one takes new repositories. */
  constructor(private readonly directories: ReadonlyMap<string, string>) {}

  /** Where new repositories go. */
  get forNewRepositories(): string {
    const [name] = this.directories.keys();
    if (name === undefined) throw new Error('no repository storage is configured');
    return name;
  }

  all(): { name: string; directory: string }[] {
    return [...this.directories].map(([name, directory]) => ({ name, directory }));
  }

  /** Throws where a project names a storage that is no longer configured. */
  locate({ repositoryStorage, diskPath }: StoredRepository): RepositoryLocation {
    const directory = this.directories.get(repositoryStorage);
    if (directory === undefined) throw new Error(`repository storage ${repositoryStorage} is not configured`);
    return { path: path.join(directory, `${diskPath}.git`) };
  }
}

/** A path that tells nothing of names and never changes: fanned out by the digest of the project's id. */
export function hashedDiskPath(projectId: number): string {
  const digest = createHash('sha256').update(String(projectId)).digest('hex');
  return `@hashed/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}`;
}
