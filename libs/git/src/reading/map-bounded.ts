/** `change` of every item, in order, at most `width` at a time. The first failure ends it. */
export async function mapBounded<T, U>(
  items: readonly T[],
  width: number,
  change: (item: T) => Promise<U>,
): Promise<U[]> {
  const results: U[] = [];
  for (let from = 0; from < items.length; from += width) {
    results.push(...(await Promise.all(items.slice(from, from + width).map(change))));
  }
  return results;
}
