/**
 * What may name a ref, an object or a file. Everything a user sends passes here before git sees it, so that no name
 * can become an option, a revision expression, a pathspec with magic, or a second command on a shared process.
 */

/** A loose ref of 250 bytes is locked by a file of 255 ("….lock"), the most that common file systems hold. */
const MOST_REF_COMPONENT_BYTES = 250;
const MOST_REF_BYTES = 1024;
const MOST_PATH_COMPONENT_BYTES = 255;
const MOST_PATH_BYTES = 4096;

const LONE_SURROGATE = /\p{Surrogate}/u;
const REF_PUNCTUATION = /[ ~^:?*[\\]/;
const FULL_SHA = /^[0-9a-f]{40}$/i;
const ABBREVIATED_SHA = /^[0-9a-f]{4,40}$/i;
/** Names that read as object names, SHA-1 or SHA-256, would make every later look-up ambiguous. */
const OBJECT_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Code points that HFS+ ignores when it compares names. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** NTFS drops trailing dots and blanks and reads what follows a colon as a stream of the same file. */
const NTFS_DOT_GIT = /^(?:\.git|git~1)[ .]*(?::|$)/i;
/** ".gitmodules", the short names NTFS derives from it, and its hashed short names (eight characters in all). */
const NTFS_DOT_GITMODULES =
  /^(?:\.gitmodules|gitmod~[1-4]|gi7eba~[1-9]|gi7eb~[1-9]\d|gi7e~[1-9]\d{2}|gi7~[1-9]\d{3}|gi~[1-9]\d{4}|g~[1-9]\d{5}|~[1-9]\d{6})[ .]*(?::|$)/i;

/** Whether `text` is a full object name, in either case of letters. */
export function isSha(text: string): boolean {
  return FULL_SHA.test(text);
}

/** Whether `text` may abbreviate an object name: 4 to 40 hexadecimal digits, in either case. */
export function isAbbreviatedSha(text: string): boolean {
  return ABBREVIATED_SHA.test(text);
}

/** Whether `name` is a full ref name ("refs/heads/main") that git itself would accept. */
export function isFullRef(name: string): boolean {
  return name.startsWith('refs/') && isWellFormedRef(name);
}

/** Whether a branch may be called `name` (the short name, without "refs/heads/"). */
export function isBranchName(name: string): boolean {
  return isShortRefName(name) && isWellFormedRef(`refs/heads/${name}`);
}

/** Whether a tag may be called `name` (the short name, without "refs/tags/"). */
export function isTagName(name: string): boolean {
  return isShortRefName(name) && isWellFormedRef(`refs/tags/${name}`);
}

/**
 * Whether `path` may be asked of a commit: relative, without empty, "." and ".." components, NUL and newline.
 * Looser than `splitPath`: what old history holds stays readable.
 */
export function isReadablePath(path: string): boolean {
  if (path.includes('\0') || path.includes('\n') || LONE_SURROGATE.test(path)) return false;
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) return false;
  return path.split('/').every((component) => component !== '' && component !== '.' && component !== '..');
}

export type PathProblem = 'traversal' | 'invalid_path';

/** A path that no commit of ours may hold. */
export class InvalidPathError extends Error {
  constructor(
    readonly problem: PathProblem,
    readonly path: string,
  ) {
    super(`${problem}: ${path}`);
  }
}

/**
 * The components of a path that is about to be written.
 * Throws InvalidPathError: 'traversal' for an absolute path and for "." and ".." components, 'invalid_path' for what
 * git or a client's file system must never be given.
 */
export function splitPath(path: string): string[] {
  const components = path.split('/');
  const problem = path.startsWith('/') ? 'traversal' : (wholePathProblem(path) ?? firstProblem(components));
  if (problem !== undefined) throw new InvalidPathError(problem, path);
  return components;
}

/**
 * Whether a file system could take `component` for ".gitmodules". A symbolic link of that name would let a clone read
 * its submodule settings from outside the tree.
 */
export function isGitmodulesName(component: string): boolean {
  if (isHfsName(component, '.gitmodules')) return true;
  return component.split('\\').some((part) => NTFS_DOT_GITMODULES.test(part));
}

function isShortRefName(name: string): boolean {
  return (
    name !== '' &&
    name !== 'HEAD' &&
    !name.startsWith('-') &&
    !name.startsWith('refs/') &&
    name !== '@' &&
    !OBJECT_NAME.test(name)
  );
}

function isWellFormedRef(name: string): boolean {
  if (REF_PUNCTUATION.test(name) || hasControlCharacter(name) || LONE_SURROGATE.test(name)) return false;
  if (name.includes('..') || name.includes('@{') || name.endsWith('.')) return false;
  return Buffer.byteLength(name) <= MOST_REF_BYTES && name.split('/').every(isRefComponent);
}

function isRefComponent(component: string): boolean {
  return (
    component !== '' &&
    !component.startsWith('.') &&
    !component.endsWith('.lock') &&
    Buffer.byteLength(component) <= MOST_REF_COMPONENT_BYTES
  );
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function wholePathProblem(path: string): PathProblem | undefined {
  const isUnwritable = path.includes('\0') || path.includes('\n') || LONE_SURROGATE.test(path);
  return isUnwritable || Buffer.byteLength(path) > MOST_PATH_BYTES ? 'invalid_path' : undefined;
}

function firstProblem(components: readonly string[]): PathProblem | undefined {
  for (const component of components) {
    const problem = componentProblem(component);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function componentProblem(component: string): PathProblem | undefined {
  if (component === '') return 'invalid_path';
  // A backslash separates directories on Windows: each part is judged as a name of its own.
  const parts = component.split('\\');
  if (component === '.' || parts.includes('..')) return 'traversal';
  if (Buffer.byteLength(component) > MOST_PATH_COMPONENT_BYTES) return 'invalid_path';
  if (isHfsName(component, '.git')) return 'invalid_path';
  return parts.some((part) => NTFS_DOT_GIT.test(part)) ? 'invalid_path' : undefined;
}

function isHfsName(component: string, name: string): boolean {
  return component.replace(HFS_IGNORED, '').toLowerCase() === name;
}
