/** Bytes of one length field (RFC 4251, section 5: "string" and "mpint" alike). */
const LENGTH = 4;

/** The length-prefixed parts that an SSH key is made of; null where they do not fill it exactly. */
export function partsOf(blob: Buffer): Buffer[] | null {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < blob.length) {
    if (at + LENGTH > blob.length) return null;
    const start = at + LENGTH;
    const end = start + blob.readUInt32BE(at);
    if (end > blob.length) return null;
    parts.push(blob.subarray(start, end));
    at = end;
  }
  return parts;
}

/** The opposite of `partsOf`. */
export const joined = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(LENGTH);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
