/** Two titles with what they do not have in common marked, as the notes of the system show a change. */
export function markedTitles(before: string, after: string): { before: string; after: string } {
  const old = Array.from(before);
  const now = Array.from(after);
  const most = Math.min(old.length, now.length);
  let prefix = 0;
  while (prefix < most && old[prefix] === now[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < most - prefix && old.at(-1 - suffix) === now.at(-1 - suffix)) suffix += 1;
  return { before: marked(old, prefix, suffix, '-'), after: marked(now, prefix, suffix, '+') };
}

function marked(characters: readonly string[], prefix: number, suffix: number, sign: '-' | '+'): string {
  const end = characters.length - suffix;
  const [start, middle, rest] = [
    characters.slice(0, prefix).join(''),
    characters.slice(prefix, end).join(''),
    characters.slice(end).join(''),
  ];
  return middle === '' ? `${start}${rest}` : `${start}{${sign}${middle}${sign}}${rest}`;
}
