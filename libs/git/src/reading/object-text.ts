/** A commit or tag object: its header lines, then a blank line, then a message. */
export interface ObjectText {
  /** In order; a value holds its continuation lines as they stand. */
  readonly headers: readonly { readonly name: string; readonly value: Buffer }[];
  readonly message: Buffer;
}

/** Takes an object apart without decoding anything. */
export function splitObject(content: Buffer): ObjectText {
  const headers: { name: string; value: Buffer }[] = [];
  let at = 0;
  while (at < content.length && content[at] !== 0x0a) {
    const end = headerEnd(content, at);
    headers.push(splitHeader(content.subarray(at, end)));
    at = end + 1;
  }
  return { headers, message: content.subarray(at + 1) };
}

/** A decoder for what a commit's "encoding" header declares; UTF-8 when it declares nothing known. */
export function decoderFor(encoding: string | undefined): (bytes: Buffer) => string {
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return (bytes) => bytes.toString('utf8');
  try {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    return (bytes) => decoder.decode(bytes);
  } catch {
    // An encoding nobody knows: the bytes are read as everything else is.
    return (bytes) => bytes.toString('utf8');
  }
}

/** Index just past the last byte of the line that begins at `from`. */
export function lineEnd(content: Buffer, from: number): number {
  const end = content.indexOf(0x0a, from);
  return end < 0 ? content.length : end;
}

function headerEnd(content: Buffer, from: number): number {
  let end = lineEnd(content, from);
  while (content[end + 1] === 0x20) end = lineEnd(content, end + 1);
  return end;
}

function splitHeader(line: Buffer): { name: string; value: Buffer } {
  const blank = line.indexOf(0x20);
  if (blank < 0) return { name: line.toString('latin1'), value: Buffer.alloc(0) };
  return { name: line.toString('latin1', 0, blank), value: line.subarray(blank + 1) };
}
