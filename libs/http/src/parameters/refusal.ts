import type { z } from 'zod';
import { type DomainError, invalidParameter, missing } from '#libs/errors';
import { refusals } from './wire-type';

/** Marks the issue of a rule between fields: its message is the whole sentence. */
export const RULE_BROKEN = 'ruleBroken';

/** A sentence for each of ten thousand wrong elements helps nobody. */
const SENTENCES = 20;
const NAME_LENGTH = 200;

type Issue = z.core.$ZodIssue;

/** The error of a request whose parameters were refused: what is missing goes before what is wrong. */
export function errorOf(issues: readonly Issue[]): DomainError {
  const absent = issues.find(isMissing);
  if (absent !== undefined) return missing(nameOf(absent.path));
  const sentences = new Set<string>();
  for (const issue of issues) {
    if (sentences.size === SENTENCES) break;
    sentences.add(sentenceOf(issue));
  }
  return invalidParameter([...sentences].join(', '));
}

/** An element of a list of scalars cannot be missing; a null there is merely wrong. */
function isMissing({ message, path }: Issue): boolean {
  return message === refusals.missing && typeof path.at(-1) === 'string';
}

function sentenceOf(issue: Issue): string {
  if (issue.code === 'custom' && issue.params?.[RULE_BROKEN] === true) return issue.message;
  return `${nameOf(issue.path)} ${endingOf(issue)}`;
}

function endingOf(issue: Issue): string {
  if (issue.code === 'invalid_value') return refusals.notListed;
  if (issue.code === 'too_big' && issue.origin === 'string') {
    return `is too long (maximum is ${issue.maximum} characters)`;
  }
  if (issue.code === 'too_big' || issue.code === 'too_small') return refusals.notListed;
  return issue.code === 'custom' && issue.message !== refusals.missing ? issue.message : refusals.invalid;
}

/** `actions[0][file_path]`; a wrong element of a list of scalars is told by the list's name alone. */
function nameOf(path: readonly PropertyKey[]): string {
  const named = path.slice(0, path.findLastIndex((step) => typeof step === 'string') + 1);
  const [first, ...rest] = named.map(String);
  const name = [first ?? 'body', ...rest.map((step) => `[${step}]`)].join('');
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name;
}
