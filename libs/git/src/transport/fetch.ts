import type { PassThrough, Readable } from 'node:stream';
import { finished as whenFinished } from 'node:stream/promises';
import { GitProcessError } from '../git';
import type { Running } from '../processes/spawn-broker';
import { asError, type Interruption, Transfer } from './transfer';

/** git's words when a client ends a stateless request early, as it may after a shallow negotiation. */
const EARLY_END = 'the remote end hung up unexpectedly';

/** What git answers goes to `output`; whatever ends the request early ends git. A failed run breaks `output` off. */
export function relay(
  running: Running,
  output: PassThrough,
  limits: { wholeMs: number; idleMs: number; signal: AbortSignal | undefined },
  body?: Readable,
): void {
  let interruption: Interruption | undefined;
  const transfer = new Transfer(
    running,
    output,
    (reason) => {
      interruption = reason;
      running.stdout.destroy();
      running.kill();
    },
    limits,
  );
  running.stdout.pipe(output, { end: false });
  if (body !== undefined) transfer.feed(body);
  void outcome(running).then((failure) => {
    transfer.end();
    const cause = interruption ?? failure;
    if (cause === undefined) output.end();
    else output.destroy(cause);
  });
}

/** Waits until git has begun to answer. Throws GitProcessError when it ends without a word. */
export async function awaitAnswer(running: Running): Promise<void> {
  const { stdout } = running;
  if (!stdout.destroyed) {
    await new Promise<void>((resolve) => {
      stdout.once('readable', resolve);
      stdout.once('close', resolve);
    });
  }
  if (stdout.readableLength > 0) return;
  const { code, stderr } = await running.finished;
  throw new GitProcessError('git does not serve the repository', code, stderr);
}

async function outcome(running: Running): Promise<Error | undefined> {
  try {
    await whenFinished(running.stdout, { writable: false });
    const { code, stderr } = await running.finished;
    const isComplete = code === 0 || (code === 128 && stderr.includes(EARLY_END));
    return isComplete ? undefined : new GitProcessError('git upload-pack failed', code, stderr);
  } catch (error) {
    // A process that was stopped, or that failed, has said so first; the stream's own error is its shadow.
    const cause = await running.finished.then(
      () => error,
      (reason: unknown) => reason,
    );
    return asError(cause);
  }
}
