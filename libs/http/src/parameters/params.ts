import { z } from 'zod';
import type { CrossFieldRule } from './cross-field-rules';
import { errorOf, RULE_BROKEN } from './refusal';
import { emptyBag, isHash, lastOf, type ParameterBag } from './values';
import { absenceOf, type Absence, wireType } from './wire-type';

type Merged<A, B> = Omit<A, keyof B> & B;
type Exact<Shape extends z.ZodRawShape> = z.ZodPreprocess<z.ZodObject<Shape, z.core.$strip>>;

/**
 * What an endpoint takes: its fields and the rules between them. Fields that are not declared are dropped.
 * Made by `params`.
 */
export class Params<Shape extends z.ZodRawShape, Schema extends z.ZodType = Exact<Shape>> {
  constructor(
    readonly shape: Shape,
    readonly rules: readonly CrossFieldRule[],
    readonly schema: Schema,
  ) {}

  /** The same fields and rules with more (or other) ones. */
  extend<More extends z.ZodRawShape>(more: More | Params<More>, ...rules: CrossFieldRule[]) {
    const [fields, inherited] = more instanceof Params ? [more.shape, more.rules] : [more, []];
    const shape: Merged<Shape, More> = { ...this.shape, ...fields };
    return params(shape, ...this.rules, ...inherited, ...rules);
  }
}

/** Any declared params. */
export type ParamsSchema = Params<z.ZodRawShape, z.ZodType>;

/** The type of what `parseParams` answers for these params. */
export type ParamsOf<P extends ParamsSchema> = z.output<P['schema']>;

/** Declares the parameters of an endpoint, or the hash that is an element of a list of them. */
export function params<Shape extends z.ZodRawShape>(shape: Shape, ...rules: CrossFieldRule[]): Params<Shape> {
  const absences = Object.entries(shape).map(([name, field]): [string, Absence] => [name, absenceOf(field)]);
  const object = withRules(z.object(shape), rules);
  const schema = wireType((value) => (isHash(value) ? givenFields(value, absences) : undefined), object);
  return new Params(shape, rules, schema);
}

/**
 * Checks and converts the parameters of a request.
 * @throws DomainError `missing` for the first required field that is not given, else `invalid_parameter` with
 * the sentences of all refusals.
 */
export function parseParams<Schema extends z.ZodType>(
  declared: Params<z.ZodRawShape, Schema>,
  bag: ParameterBag,
): z.output<Schema> {
  const result = declared.schema.safeParse(bag);
  if (result.success) return result.data;
  throw errorOf(result.error.issues);
}

function withRules<Shape extends z.ZodRawShape>(
  object: z.ZodObject<Shape, z.core.$strip>,
  rules: readonly CrossFieldRule[],
): z.ZodObject<Shape, z.core.$strip> {
  if (rules.length === 0) return object;
  return object.superRefine((hash, context) => {
    const fields = new Map<string, unknown>(Object.entries(hash));
    for (const rule of rules) {
      const message = rule((field) => fields.get(field) !== undefined);
      if (message === undefined) continue;
      context.issues.push({ code: 'custom', message, params: { [RULE_BROKEN]: true }, input: undefined });
    }
  });
}

/** The declared fields that the hash really gives: null and '' can mean that a field is not given. */
function givenFields(hash: Readonly<Record<string, unknown>>, absences: readonly [string, Absence][]) {
  const given: Record<string, unknown> = emptyBag();
  for (const [name, absence] of absences) {
    if (!Object.hasOwn(hash, name)) continue;
    const value = hash[name];
    const isNothing = value === null || (!absence.blankIsValue && lastOf(value) === '');
    if (!isNothing || !absence.optional) given[name] = value;
    if (isNothing && absence.nullable) given[name] = null;
  }
  return given;
}
