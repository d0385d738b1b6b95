const SEPARATOR = '::';

interface Titled {
  readonly id: number;
  readonly title: string;
}

/** What stands before the last `::` of a title: labels that have it in common exclude one another. Null without one. */
export function scopeOf(title: string): string | null {
  const end = title.lastIndexOf(SEPARATOR);
  return end < 0 ? null : title.slice(0, end);
}

/**
 * The labels without those of a scope that a later one replaces. A thing that has several of a scope since before, and
 * gets no other of it, keeps them: they may be older than the licence.
 */
export function withoutRivals<T extends Titled>(labels: readonly T[], before: readonly Titled[]): T[] {
  const had = new Set(before.map(({ id }) => id));
  const last = new Map<string, T>();
  const changed = new Set<string>();
  for (const label of labels) {
    const scope = scopeOf(label.title);
    if (scope === null) continue;
    last.set(scope, label);
    if (!had.has(label.id)) changed.add(scope);
  }
  return labels.filter((label) => {
    const scope = scopeOf(label.title);
    return scope === null || !changed.has(scope) || last.get(scope) === label;
  });
}
