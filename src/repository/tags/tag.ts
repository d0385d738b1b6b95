import type { Commit, Sha } from '#libs/git';

export interface TagRelease {
  readonly tag: string;
  readonly description: string;
}

export interface TagDetails {
  readonly name: string;
  /** The tag object of an annotated tag, else what the tag names. */
  readonly target: Sha;
  /** The annotation; null for a lightweight tag. */
  readonly message: string | null;
  /** Null where the tag names something else than a commit. */
  readonly commit: Commit | null;
  readonly release: TagRelease | null;
}
