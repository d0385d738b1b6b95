/** The bytes with each of the secrets crossed out; of the same length, so that offsets in a log hold. */
export function masked(bytes: Buffer, secrets: readonly string[]): Buffer {
  const result = Buffer.from(bytes);
  for (const secret of secrets) {
    const wanted = Buffer.from(secret);
    if (wanted.length === 0) continue;
    for (let at = result.indexOf(wanted); at >= 0; at = result.indexOf(wanted, at + wanted.length)) {
      result.fill('x', at, at + wanted.length);
    }
  }
  return result;
}
