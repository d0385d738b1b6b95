const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 0x22,
  '\\': 0x5c,
};

/**
 * A path as git prints it in lines: in double quotes with C's escapes when it holds a quote, a backslash or a control
 * character, bare otherwise. Escaped bytes are put together before they are decoded.
 */
export function unquotePath(printed: string): string {
  if (!printed.startsWith('"') || !printed.endsWith('"') || printed.length < 2) return printed;
  const parts: Buffer[] = [];
  const inner = printed.slice(1, -1);
  let at = 0;
  while (at < inner.length) {
    const backslash = inner.indexOf('\\', at);
    const end = backslash < 0 ? inner.length : backslash;
    if (end > at) parts.push(Buffer.from(inner.slice(at, end)));
    if (backslash < 0) break;
    const octal = /^[0-7]{3}/.exec(inner.slice(backslash + 1, backslash + 4))?.[0];
    parts.push(Buffer.of(octal ? Number.parseInt(octal, 8) : (ESCAPES[inner[backslash + 1] ?? ''] ?? 0x3f)));
    at = backslash + 1 + (octal ? 3 : 1);
  }
  return Buffer.concat(parts).toString('utf8');
}
