import { OWNER_COLUMN, type AttributedKind } from './custom-attribute';

/** Values that must all be there, by key. */
export type AttributeFilter = Readonly<Record<string, string>>;

/**
 * SQL conditions, one per key, that hold for things with these attributes: join them with AND. `idColumn` is the
 * thing's id in the query ("user.id"); `placeholder` registers a value with the query and answers how to name it
 * ("$3", ":value1").
 */
export function attributeConditions(
  kind: AttributedKind,
  idColumn: string,
  wanted: AttributeFilter,
  placeholder: (value: string) => string,
): string[] {
  const owner = OWNER_COLUMN[kind];
  return Object.entries(wanted).map(
    ([key, value]) => `${idColumn} IN (
      SELECT noted.${owner} FROM custom_attributes noted
      WHERE noted.${owner} IS NOT NULL AND noted.key = ${placeholder(key)} AND noted.value = ${placeholder(value)})`,
  );
}
