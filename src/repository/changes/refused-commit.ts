import { badRequest } from '#libs/errors';
import { FileActionError, MergeConflictError, RefConflictError, type FileActionProblem } from '#libs/git';

const SENTENCES: Record<FileActionProblem, (path: string) => string> = {
  exists: () => 'A file with this name already exists',
  missing: () => "A file with this name doesn't exist",
  stale: (path) => `The file has changed since you started editing it: ${path}`,
  traversal: () => 'Path cannot include directory traversal',
  invalid_path: (path) => `Invalid path: '${path}'`,
};

/** Rethrows what the git engine refused in the words that the API has for it; anything else as it is. */
export function refusedCommit(error: unknown, staleMessage?: string): never {
  if (error instanceof FileActionError) {
    const isStale = error.problem === 'stale' && staleMessage !== undefined;
    throw badRequest(isStale ? staleMessage : SENTENCES[error.problem](error.path));
  }
  if (error instanceof RefConflictError) {
    throw badRequest('The branch was updated by another change while this one was made. Please try again');
  }
  if (error instanceof MergeConflictError && error.reason === 'empty') {
    throw badRequest('The new content is identical to the current content: there is nothing to commit');
  }
  throw error;
}
