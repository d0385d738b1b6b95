import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GitLimitError } from '../git';
import type { RunningCommand } from './running-command';

/**
 * Everything a command writes to stdout. More than `most` bytes stop it with GitLimitError.
 * Never rejects before the command is over; an error on the way is the command's own (`finished` tells it).
 */
export function collectOutput(running: RunningCommand, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    running.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > most) running.fail(new GitLimitError(`git wrote more than ${most} bytes`));
      else chunks.push(chunk);
    });
    running.stdout.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** Writes a command's input. git may end without having read it all, which is no error: the exit code tells. */
export function feed(running: RunningCommand, input: Buffer | Readable): void {
  if (Buffer.isBuffer(input)) {
    running.stdin.end(input);
    return;
  }
  input.once('error', (error) => running.fail(error));
  pipeline(input, running.stdin).catch(() => undefined);
}
