import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitLimitError, GitProcessError, type PushRefusal, type RefUpdate } from '../git';

/** A question holds some hundred bytes a ref; more than this is no push but an attack. */
const LARGEST_QUESTION = 64 * 1024 * 1024;
const MOST_PUSH_OPTIONS = 1_000;
const LONGEST_MESSAGE = 64 * 1024;
const UPDATE = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/;
/** What could drive the pusher's terminal; line feeds and tabs may stay. */
const TERMINAL_CONTROLS = /[^\P{Cc}\n\t]/gu;

/** What the hook passes on: the moves asked for and where the objects wait. */
export interface HookQuestion {
  readonly updates: readonly RefUpdate[];
  /** Refs whose names are no valid UTF-8, decoded as far as possible. */
  readonly unreadableRefs: readonly string[];
  readonly pushOptions: readonly string[];
  /** git's own process. */
  readonly processId: number;
  /** Environment under which git sees the quarantined objects; empty when the push brought none. */
  readonly quarantine: Readonly<Record<string, string>>;
}

/** Reads the question that a hook has left in its push's folder. Throws GitLimitError and GitProcessError. */
export async function readQuestion(folder: string): Promise<HookQuestion> {
  const path = join(folder, 'question');
  const { size } = await stat(path);
  if (size > LARGEST_QUESTION) throw new GitLimitError('too many refs in one push');
  return parseQuestion(await readFile(path));
}

/** The question's form: NUL-ended process id, object directories and push options, then git's own lines "<old> <new> <ref>". */
export function parseQuestion(bytes: Buffer): HookQuestion {
  const fields = new FieldReader(bytes);
  const processId = Number(fields.next());
  const [objects, alternates, quarantinePath] = [fields.next(), fields.next(), fields.next()];
  const pushOptions = Array.from({ length: readCount(fields.next()) }, () => fields.next());
  const updates: RefUpdate[] = [];
  const unreadableRefs: string[] = [];
  for (const line of lines(fields.rest())) {
    const update = parseUpdate(line);
    if (isUtf8(line)) updates.push(update);
    else unreadableRefs.push(update.ref);
  }
  const quarantine = environment(objects, alternates, quarantinePath);
  return { updates, unreadableRefs, pushOptions, processId, quarantine };
}

/** Tells the waiting hook what was decided; fails when the hook is gone. */
export async function answerQuestion(folder: string, refusal: PushRefusal | null): Promise<void> {
  if (refusal !== null) await writeFile(join(folder, 'message'), printable(refusal.message));
  const verdict = await open(join(folder, 'verdict'), constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    await verdict.write(refusal === null ? 'accepted\n' : 'refused\n');
  } finally {
    await verdict.close();
  }
}

class FieldReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  next(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) throw new GitProcessError('the hook left half a question', null, '');
    const field = this.bytes.toString('utf8', this.at, end);
    this.at = end + 1;
    return field;
  }

  rest(): Buffer {
    return this.bytes.subarray(this.at);
  }
}

function readCount(field: string): number {
  const count = Number(field);
  if (!Number.isSafeInteger(count) || count < 0 || count > MOST_PUSH_OPTIONS) {
    throw new GitLimitError('too many push options');
  }
  return count;
}

function* lines(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

function parseUpdate(line: Buffer): RefUpdate {
  const [, oldSha, newSha, ref] = UPDATE.exec(line.toString('utf8')) ?? [];
  if (oldSha === undefined || newSha === undefined || ref === undefined) {
    throw new GitProcessError('the hook left an unknown line', null, '');
  }
  return { ref, oldSha, newSha };
}

function environment(objects: string, alternates: string, quarantinePath: string): Record<string, string> {
  if (objects === '') return {};
  return {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates,
    GIT_QUARANTINE_PATH: quarantinePath,
  };
}

function printable(message: string): string {
  const text = message.replace(TERMINAL_CONTROLS, '').slice(0, LONGEST_MESSAGE);
  return text.endsWith('\n') ? text : `${text}\n`;
}
