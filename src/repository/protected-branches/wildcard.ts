/**
 * Whether `name` fits a pattern in which `*` stands for any run of characters, slashes included.
 * Linear in both lengths: each literal piece is searched once, from left to right.
 */
export function matchesWildcard(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return pattern === name;
  if (!name.startsWith(head) || name.length < head.length + tail.length || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let from = head.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, from);
    if (found < 0 || found + piece.length > end) return false;
    from = found + piece.length;
  }
  return from <= end;
}
