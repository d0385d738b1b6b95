import { TextDecoder } from 'node:util';
import { badRequest, DomainError } from '#libs/errors';

/**
 * Decodes a body's bytes in a named charset.
 * @throws DomainError bad_request when the charset is unknown or the bytes are not of it.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  return decoded(decoderFor(charset), bytes, {});
}

/** As `decodeText`, chunk by chunk while they arrive: a large body does not hold the event loop. */
export async function decodeChunks(chunks: AsyncIterable<Buffer>, charset: string): Promise<string> {
  let text = '';
  for await (const piece of decodedChunks(chunks, charset)) text += piece;
  return text;
}

/** As `decodeChunks`, for who has no use for the whole. */
export async function* decodedChunks(chunks: AsyncIterable<Buffer>, charset: string): AsyncGenerator<string> {
  const decoder = decoderFor(charset);
  for await (const chunk of chunks) yield decoded(decoder, chunk, { stream: true });
  yield decoded(decoder, undefined, {});
}

function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined, how: { stream?: boolean }): string {
  try {
    return decoder.decode(bytes, how);
  } catch (error) {
    throw new DomainError(
      { kind: 'bad_request', message: `400 Bad request - invalid ${decoder.encoding}` },
      { cause: error },
    );
  }
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw badRequest('400 Bad request - unknown charset');
  }
}
