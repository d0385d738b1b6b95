import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from './naming';

type EntityClass<T> = new () => T;

interface Column {
  readonly property: string;
  /** A moment, which JSON holds as text. */
  readonly isMoment: boolean;
}

/** Columns by their name per entity class; as many entries as there are entities. */
const columnsOf = new Map<EntityClass<object>, ReadonlyMap<string, Column>>();

function columns(entity: EntityClass<object>): ReadonlyMap<string, Column> {
  const known = columnsOf.get(entity);
  if (known) return known;
  const found = getMetadataArgsStorage().filterColumns([entity, ...ancestors(entity)]);
  if (found.length === 0) throw new Error(`${entity.name} is no entity: it has no columns`);
  const made = new Map(
    found.map(({ propertyName, options }) => [
      options.name ?? snakeCase(propertyName),
      { property: propertyName, isMoment: options.type === 'timestamptz' },
    ]),
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
 * An entity out of one row of raw SQL, or of a row that the query made JSON of: the row's snake_case columns go to
 * the entity's properties, columns the entity does not have are passed over. Values are taken as the driver read
 * them, moments in JSON become dates; column transformers are not run.
 */
export function hydrate<T extends object>(entity: EntityClass<T>, row: object): T {
  const made = new entity();
  fill(made, row, columns(entity));
  return made;
}

/** Plain assignments: every request hydrates its project, and Reflect.set over entries took several times as long. */
function fill(made: object, row: object, properties: ReadonlyMap<string, Column>): void {
  if (!isIndexable(made) || !isIndexable(row)) return;
  for (const name in row) {
    const column = properties.get(name);
    if (column === undefined) continue;
    const value = row[name];
    made[column.property] = column.isMoment && typeof value === 'string' ? new Date(value) : value;
  }
}

/** Which every object is; the compiler wants to be told. */
const isIndexable = (value: object): value is Record<string, unknown> => typeof value === 'object';
