type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out what is undefined, so that the column's default holds. */
export function given<T extends object>(fields: T): Given<T> {
  const kept: Given<T> = { ...fields };
  for (const name of Object.keys(fields))
    if (Reflect.get(fields, name) === undefined) Reflect.deleteProperty(kept, name);
  return kept;
}
