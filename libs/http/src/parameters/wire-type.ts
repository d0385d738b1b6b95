import { z } from 'zod';
import { lastOf } from './values';

/** The ends of the reference's sentences ("<name> is invalid"). */
export const refusals = {
  missing: 'is missing',
  invalid: 'is invalid',
  empty: 'is empty',
  notListed: 'does not have a valid value',
} as const;

type Reader = (value: unknown, refuse: (sentence: string) => undefined) => unknown;

/** The types for which '' is a value; every other takes it as "not given" (as null where that clears). */
const takesBlank = new WeakSet<z.core.$ZodType>();

/**
 * A parameter type: `read` turns what the wire brought into what `schema` describes, or answers undefined
 * for what it cannot read ("is invalid"); with `refuse` it words the refusal itself.
 */
export function wireType<T extends z.ZodType>(
  read: Reader,
  schema: T,
  { blankIsValue = false } = {},
): z.ZodPreprocess<T> {
  if (blankIsValue) takesBlank.add(schema);
  return z.preprocess((value, context) => {
    const refuse = (message: string): undefined => {
      context.issues.push({ code: 'custom', message, input: undefined });
    };
    if (value === undefined || value === null) return refuse(refusals.missing);
    const issues = context.issues.length;
    const result = read(value, refuse);
    return result === undefined && context.issues.length === issues ? refuse(refusals.invalid) : result;
  }, schema);
}

/** A type of one value: of a repeated name the last counts; a list or hash is never one. */
export function scalarType<T extends z.ZodType>(
  read: Reader,
  schema: T,
  options: { blankIsValue?: boolean } = {},
): z.ZodPreprocess<T> {
  return wireType((value, refuse) => read(lastOf(value), refuse), schema, options);
}

/** Gives a schema that JSON Schema has no word for (a date, a file) the given description. */
export function describedAs<T extends z.ZodType>(schema: T, jsonSchema: Record<string, unknown>): T {
  schema._zod.toJSONSchema = () => ({ ...jsonSchema });
  return schema;
}

/** How a field treats what clients send to say "nothing". */
export interface Absence {
  optional: boolean;
  nullable: boolean;
  blankIsValue: boolean;
}

/** Reads a field's `.optional()`, `.nullable()` and `.default()` from its schema. */
export function absenceOf(field: z.core.$ZodType): Absence {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) {
    return { ...absenceOf(field.unwrap()), optional: true };
  }
  if (field instanceof z.ZodNullable) return { ...absenceOf(field.unwrap()), nullable: true };
  const target = field instanceof z.ZodPreprocess ? field.def.out : field;
  return { optional: false, nullable: false, blankIsValue: takesBlank.has(target) };
}
