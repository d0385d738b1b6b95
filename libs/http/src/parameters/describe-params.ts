import { z } from 'zod';
import type { ParamsSchema } from './params';
import { absenceOf } from './wire-type';

/** One parameter, as the OpenAPI document lists it. */
export interface ParameterDescription {
  name: string;
  required: boolean;
  description?: string;
  /** JSON Schema (draft 2020-12, which OpenAPI 3.1 uses) of what a client may send. */
  schema: Record<string, unknown>;
}

/** All parameters of an endpoint. */
export interface ParamsDescription {
  /** JSON Schema of the body that holds all parameters. */
  schema: Record<string, unknown>;
  fields: ParameterDescription[];
}

/** Describes declared params for the OpenAPI document. */
export function describeParams(declared: ParamsSchema): ParamsDescription {
  const fields = Object.entries(declared.shape).map(([name, field]): ParameterDescription => {
    const description = z.globalRegistry.get(field)?.description;
    return {
      name,
      required: !absenceOf(field).optional,
      ...(description !== undefined && { description }),
      schema: jsonSchemaOf(field),
    };
  });
  return { schema: jsonSchemaOf(declared.schema), fields };
}

function jsonSchemaOf(schema: z.core.$ZodType): Record<string, unknown> {
  const {
    $schema: _dialect,
    '~standard': _standard,
    ...rest
  } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      dropTechnicalBounds(jsonSchema);
      // zod leaves it out, since for other schemas than ours a default need not be something to send.
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
    },
  });
  return rest;
}

/** The bounds of JavaScript's own numbers say nothing to a reader of the document. */
function dropTechnicalBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER || schema.minimum === -Number.MAX_VALUE)
    delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER || schema.maximum === Number.MAX_VALUE)
    delete schema.maximum;
}
