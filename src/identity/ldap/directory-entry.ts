import type { Entry } from 'ldapts';

/** An entry of a directory: its name as the directory spells it, and its values by attribute in lower case. */
export interface DirectoryEntry {
  readonly dn: string;
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

/** Values that are no text (photographs) are left out: nothing here asks for them. */
export function entryOf({ dn, ...values }: Entry): DirectoryEntry {
  const attributes = Object.entries(values).map(([name, value]): [string, string[]] => [
    name.toLowerCase(),
    (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string'),
  ]);
  return { dn, attributes: new Map(attributes) };
}

/** All values of the attributes, in the order of the names. */
export const valuesOf = ({ attributes }: DirectoryEntry, names: readonly string[]): string[] =>
  names.flatMap((name) => attributes.get(name.toLowerCase()) ?? []);

/** The first value that is not blank; null without one. */
export const firstOf = (entry: DirectoryEntry, names: readonly string[]): string | null =>
  valuesOf(entry, names).find((value) => value.trim() !== '') ?? null;
