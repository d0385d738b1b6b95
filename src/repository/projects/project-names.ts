import type { ValidationErrors } from '#libs/errors';
import { PathRules } from '../../identity/identity.api';

const MAX_NAME_LENGTH = 255;

/** Letters, digits and most symbols, in the range that emojis are in. */
const NAME = /^[\p{L}\p{N}_\u{a9}-\u{1f9ff}][\p{L}\p{M}\p{N}\p{Pd}_. \u{a9}-\u{1f9ff}]*$/u;
/** Characters that show nothing or turn text around would let one name pass for another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Joins emojis to one, and belongs in the names of some languages. */
const ZERO_WIDTH_JOINER = /\u200d/gu;

const NAME_FORMAT =
  "can contain only letters, digits, emojis, '_', '.', dash, space. It must start with letter, digit, emoji or '_'.";

/** The sentence that says what is wrong with a project's name; null for a good one. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return "can't be blank";
  if (name.length > MAX_NAME_LENGTH) return `is too long (maximum is ${MAX_NAME_LENGTH} characters)`;
  return NAME.test(name) && !INVISIBLE.test(name.replace(ZERO_WIDTH_JOINER, '')) ? null : NAME_FORMAT;
}

/** The sentence that says what is wrong with a project's path; null for a good one. */
export const pathProblem = (path: string): string | null =>
  PathRules.problem(path) ?? PathRules.reservation(path, false);

/** What is wrong with the names that are given. */
export function namingErrors({
  name,
  path,
}: {
  name?: string | undefined;
  path?: string | undefined;
}): ValidationErrors {
  const problems = {
    name: name === undefined ? null : nameProblem(name),
    path: path === undefined ? null : pathProblem(path),
  };
  return Object.fromEntries(
    Object.entries(problems).flatMap(([field, problem]) => (problem ? [[field, [problem]]] : [])),
  );
}

/** A path made of a name that is none itself: "Foo Project" becomes "foo-project". */
export function pathFromName(name: string): string {
  if (pathProblem(name) === null) return name;
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');
}
