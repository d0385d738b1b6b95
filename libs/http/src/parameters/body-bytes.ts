import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { badRequest, DomainError } from '#libs/errors';
import { DISCARD_BYTES, DISCARD_MILLISECONDS } from './body-limits';

const INFLATERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * The bytes of a body, decompressed, counted while they arrive. The connection stays usable when the reader stops.
 * @throws DomainError too_large; bad_request for an unknown or broken compression and for a body that is cut off.
 */
export async function* bytesOf(request: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const isPlain = coding === 'identity' || coding === '';
  if (isPlain && Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  let size = 0;
  for await (const chunk of isPlain ? arriving(request) : inflated(request, coding)) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    yield chunk;
  }
}

/** Reads on for a while without keeping anything: a client that is still sending would not read an answer. */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DISCARD_MILLISECONDS);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > DISCARD_BYTES) resolve();
    });
    for (const event of ['end', 'close', 'error']) request.once(event, () => resolve());
    request.resume();
  });
  clearTimeout(timer);
}

const tooLarge = (): DomainError => new DomainError({ kind: 'too_large' });

async function* arriving(request: IncomingMessage): AsyncGenerator<Buffer> {
  // Without this option a reader that stops would close the connection, and with it the way for the answer.
  const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  try {
    yield* chunks;
  } catch (error) {
    throw cutOff(error);
  }
}

async function* inflated(request: IncomingMessage, coding: string): AsyncGenerator<Buffer> {
  const create = INFLATERS.get(coding);
  if (create === undefined) throw badRequest('400 Bad request - unknown content encoding');
  const inflater = create();
  const fed = pipeline(arriving(request), inflater);
  // The same failure reaches the loop below, which reports it.
  fed.catch(() => undefined);
  try {
    yield* inflater;
    await fed;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError(
      { kind: 'bad_request', message: '400 Bad request - broken content encoding' },
      { cause: error },
    );
  }
}

function cutOff(cause: unknown): DomainError {
  return new DomainError({ kind: 'bad_request', message: '400 Bad request - incomplete body' }, { cause });
}
