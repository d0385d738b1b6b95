import { TextDecoder } from 'node:util';
import { badRequest, DomainError } from '#libs/errors';

/**
 * Decodes a body's bytes in a named charset.
 * @throws DomainError bad_request when the charset is unknown or the bytes are not of it.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const decoder = decoderFor(charset);
  try {
    return decoder.decode(bytes);
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
