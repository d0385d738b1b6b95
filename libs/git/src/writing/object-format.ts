import { createHash } from 'node:crypto';
import type { Person, Sha } from '../git';
import type { TimeSlices } from './time-slices';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

/** An object that has its name already but need not be in any repository yet. */
export interface NewObject {
  readonly type: ObjectType;
  readonly sha: Sha;
  readonly body: Buffer;
}

/** Hashing this many bytes takes about a millisecond. */
const HASH_SLICE_BYTES = 1024 * 1024;

/** What git's own identity code strips from both ends of a name or an email address, beside blanks and controls. */
const CRUD_AT_ENDS = new Set('.,:;<>"\\\'');
const CRUD_INSIDE = /[<>\n\0]/g;
const OFFSET = /^[+-]\d{4}$/;

/** What stands before an object's body in a loose file and under its hash. */
export function objectHeader(type: ObjectType, size: number): Buffer {
  return Buffer.from(`${type} ${size}\0`, 'latin1');
}

/** Names an object. Large bodies are hashed in slices of the event loop. */
export async function newObject(type: ObjectType, body: Buffer, slices: TimeSlices): Promise<NewObject> {
  const hash = createHash('sha1').update(objectHeader(type, body.length));
  for (let at = 0; at < body.length; at += HASH_SLICE_BYTES) {
    if (slices.isOver()) await slices.rest();
    hash.update(body.subarray(at, at + HASH_SLICE_BYTES));
  }
  return { type, sha: hash.digest('hex'), body };
}

export interface CommitFields {
  readonly tree: Sha;
  readonly parents: readonly Sha[];
  readonly author: Person;
  readonly committer: Person;
  /** Kept as given: no clean-up, no trailing newline added. */
  readonly message: string;
}

/** A commit's body. Throws RangeError for a message with NUL, which no git could read back whole. */
export function commitBody(commit: CommitFields): Buffer {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${identity(commit.author)}`,
    `committer ${identity(commit.committer)}`,
  ];
  return headed(lines, commit.message);
}

export interface TagFields {
  readonly target: Sha;
  readonly targetType: ObjectType;
  readonly name: string;
  readonly tagger: Person;
  readonly message: string;
}

/** An annotated tag's body. Throws RangeError for a message with NUL. */
export function tagBody(tag: TagFields): Buffer {
  const lines = [
    `object ${tag.target}`,
    `type ${tag.targetType}`,
    `tag ${tag.name}`,
    `tagger ${identity(tag.tagger)}`,
  ];
  return headed(lines, tag.message);
}

/**
 * "Name <email> time offset", cleaned as git cleans it. A name of which nothing is left becomes "Unknown" (git would
 * refuse the commit), a malformed offset "+0000", a time before 1970 or not a number 0.
 */
export function identity(person: Person): string {
  const name = withoutCrud(person.name) || 'Unknown';
  const time = Number.isFinite(person.time) ? Math.max(0, Math.trunc(person.time)) : 0;
  const offset = OFFSET.test(person.offset) ? person.offset : '+0000';
  return `${name} <${withoutCrud(person.email)}> ${time} ${offset}`;
}

/** Trimmed by loops: a pattern anchored at the end takes quadratic time on a long run of dots. */
function withoutCrud(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isCrud(text.charAt(start))) start += 1;
  while (end > start && isCrud(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end).replace(CRUD_INSIDE, '');
}

function isCrud(character: string): boolean {
  return character <= ' ' || CRUD_AT_ENDS.has(character);
}

function headed(lines: readonly string[], message: string): Buffer {
  if (message.includes('\0')) throw new RangeError('a message may not contain NUL');
  return Buffer.from(`${lines.join('\n')}\n\n${message}`, 'utf8');
}
