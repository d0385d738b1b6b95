import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from './naming';

type EntityClass<T> = new () => T;

/** Property and column names per entity class; as many entries as there are entities. */
const columnsOf = new Map<EntityClass<object>, ReadonlyMap<string, string>>();

function columns(entity: EntityClass<object>): ReadonlyMap<string, string> {
  const known = columnsOf.get(entity);
  if (known) return known;
  const found = getMetadataArgsStorage().filterColumns([entity, ...ancestors(entity)]);
  if (found.length === 0) throw new Error(`${entity.name} is no entity: it has no columns`);
  const made = new Map(
    found.map(({ propertyName, options }) => [options.name ?? snakeCase(propertyName), propertyName]),
  );
  columnsOf.set(entity, made);
  return made;
}

function ancestors(entity: EntityClass<object>): EntityClass<object>[] {
  const parent: unknown = Object.getPrototypeOf(entity);
  return isClass(parent) ? [parent, ...ancestors(parent)] : [];
}

const isClass = (value: unknown): value is EntityClass<object> =>
  typeof value === 'function' && value !== Function.prototype;

/**
 * An entity out of one row of raw SQL: the row's snake_case columns go to the entity's properties, columns the
 * entity does not have are passed over. Values are taken as the driver read them; column transformers are not run.
 */
export function hydrate<T extends object>(entity: EntityClass<T>, row: object): T {
  const made = new entity();
  const properties = columns(entity);
  for (const [column, value] of Object.entries(row)) {
    const property = properties.get(column);
    if (property !== undefined) Reflect.set(made, property, value);
  }
  return made;
}
