import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import { GitLimitError } from '../git';

/** No path that git takes is as long. */
const LONGEST_PIECE = 1024 * 1024;

/**
 * The pieces of a stream of UTF-8 between its separators (invalid bytes replaced). Whoever stops early ends the stream.
 * Throws GitLimitError for a piece of more than a mebibyte.
 */
export async function* piecesOf(stream: Readable, separator: '\0' | '\n'): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  const chunks: AsyncIterable<Buffer> = stream;
  let rest = '';
  for await (const chunk of chunks) {
    const pieces = (rest + decoder.write(chunk)).split(separator);
    rest = pieces.pop() ?? '';
    if (rest.length > LONGEST_PIECE)
      throw new GitLimitError(`a name of more than ${LONGEST_PIECE} characters`);
    yield* pieces;
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}
