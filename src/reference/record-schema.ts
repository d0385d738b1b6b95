import type { EndpointDefinition } from '#libs/http';
import { z } from 'zod';
import type { Schema } from './openapi';

/** JSON Schema of what an endpoint answers; null for one that answers no JSON of a declared form. */
export function answerSchema({ options }: EndpointDefinition): Schema | null {
  if (!options.presents) return null;
  const record = recordSchema(options.presents.record);
  return options.paginated === true ? { type: 'array', items: record } : record;
}

function recordSchema(record: z.ZodType): Schema {
  const {
    $schema: _dialect,
    '~standard': _standard,
    ...schema
  } = z.toJSONSchema(record, { io: 'output', unrepresentable: 'any' });
  return schema;
}
