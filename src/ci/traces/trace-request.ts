import { Transform, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { badRequest, DomainError } from '#libs/errors';

/** Of one piece of a log; runners send far smaller ones. */
const MOST_BYTES = 8 * 1024 * 1024;
const PATH = /^\/api\/v4\/jobs\/\d+\/trace(?:\.json)?\/?$/i;

/** Whether a request's body is a piece of a log, which only its handler reads. */
export const bringsTrace = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'PATCH' && PATH.test(path);

/**
 * Where a piece begins, of a header like "0-99". Its end is not looked at: runners do not agree on what it is.
 * Throws 400 without the header, or for one that says nothing.
 */
export function startOf(contentRange: string | undefined): number {
  if (contentRange === undefined) throw badRequest('400 Missing header Content-Range');
  const start = /^(\d{1,15})-\d*$/.exec(contentRange.trim())?.[1];
  if (start === undefined) throw badRequest('400 Bad request - Content-Range is invalid');
  return Number(start);
}

/** Throws `too_large`. */
export async function pieceOf(body: Readable): Promise<Buffer> {
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > MOST_BYTES) done(new DomainError({ kind: 'too_large' }));
      else done(null, chunk);
    },
  });
  body.once('error', (error) => counted.destroy(error));
  body.pipe(counted);
  return buffer(counted);
}
