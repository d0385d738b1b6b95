/**
 * Whether a file fits a pattern of `.gitattributes`: without a slash it is about the file's name alone, `*` and `?` stay
 * within one name, and `**` stands for any folders. Time is bounded by the product of the lengths, whatever is written.
 */
export function matchesPathPattern(pattern: string, file: string): boolean {
  const names = file.split('/');
  const trimmed = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  if (!trimmed.includes('/') && trimmed === pattern) return matchesName(trimmed, names.at(-1) ?? '');
  return fits(trimmed.split('/'), names, (part, name) => part !== '**' && matchesName(part, name), '**');
}

const matchesName = (pattern: string, name: string): boolean =>
  fits(Array.from(pattern), Array.from(name), (letter, found) => letter === '?' || letter === found, '*');

/** Whether all of `items` fit `parts` one by one, where `many` fits any number of them: goes back to the last `many` alone. */
function fits(
  parts: readonly string[],
  items: readonly string[],
  isOne: (part: string, item: string) => boolean,
  many: string,
): boolean {
  let part = 0;
  let item = 0;
  let lastMany = -1;
  let takenByMany = 0;
  while (item < items.length) {
    const wanted = parts[part];
    const found = items[item] ?? '';
    if (wanted === many) {
      lastMany = part;
      takenByMany = item;
      part += 1;
    } else if (wanted !== undefined && isOne(wanted, found)) {
      part += 1;
      item += 1;
    } else if (lastMany >= 0) {
      takenByMany += 1;
      item = takenByMany;
      part = lastMany + 1;
    } else return false;
  }
  while (parts[part] === many) part += 1;
  return part === parts.length;
}
