import { Transform, pipeline, type Readable } from 'node:stream';
import type { Running } from './spawn-broker';

/**
 * A command's stdout as a stream that ends only if the command ended with code 0 and fails otherwise, so that half an
 * answer is never taken for a whole one. Destroying it ends the command.
 */
export function checkedOutput(running: Running, failure: (code: number, stderr: string) => Error): Readable {
  const checked = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => {
      running.finished.then(
        ({ code, stderr }) => done(code === 0 ? null : failure(code, stderr)),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  // The pipeline passes every error on to `checked`, whose consumer is told.
  pipeline(running.stdout, checked, () => undefined);
  return checked;
}
