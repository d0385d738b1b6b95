import { z } from 'zod';
import { atLeastOneOf } from './cross-field-rules';
import { describeParams } from './describe-params';
import { params } from './params';
import { wire } from './wire';

const link = params({ url: wire.text(), name: wire.text().optional() });
const types = {
  text: [wire.text({ max: 5 }), { type: 'string', maxLength: 5 }],
  oneOf: [wire.oneOf(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
  oneOfIntegers: [wire.oneOfIntegers([10, 20]), { type: 'number', enum: [10, 20] }],
  boolean: [wire.boolean(), { type: 'boolean' }],
  integer: [wire.integer({ min: 1 }), { type: 'integer', minimum: 1 }],
  float: [wire.float(), { type: 'number' }],
  dateTime: [wire.dateTime(), { type: 'string', format: 'date-time' }],
  date: [wire.date(), { type: 'string', format: 'date' }],
  idOrPath: [wire.idOrPath(), { type: ['integer', 'string'] }],
  list: [wire.list(wire.text(), { max: 9 }), { type: 'array', items: { type: 'string' }, maxItems: 9 }],
  commaSeparated: [wire.commaSeparated(), { type: 'array', items: { type: 'string' } }],
  links: [wire.list(link), { type: 'array', items: { type: 'object', required: ['url'] } }],
  hash: [wire.hash(link), { type: 'object', properties: { url: { type: 'string' } } }],
  hashOf: [wire.hashOf(wire.text()), { type: 'object', additionalProperties: { type: 'string' } }],
  file: [wire.file(), { type: 'string', format: 'binary' }],
} satisfies Record<string, [z.ZodType, object]>;

describe('the description of parameters', () => {
  it.each(Object.entries(types))('knows JSON Schema for %s', (name, [type, expected]) => {
    const { fields, schema } = describeParams(params({ [name]: type }));
    expect(fields[0]?.schema).toMatchObject(expected);
    expect(schema).toMatchObject({ type: 'object', properties: { [name]: expected } });
    expect(z.toJSONSchema(type, { io: 'input' })).toMatchObject(expected);
  });

  it('tells which are required and what they mean', () => {
    const declared = params(
      {
        title: wire.text().describe('The title'),
        due: wire.date().nullable().optional().describe('The last day'),
        stats: wire.boolean().default(true),
      },
      atLeastOneOf('due', 'stats'),
    );
    const { fields, schema } = describeParams(declared);
    expect(fields.map(({ name, required, description }) => [name, required, description])).toEqual([
      ['title', true, 'The title'],
      ['due', false, 'The last day'],
      ['stats', false, undefined],
    ]);
    expect(schema['properties']).toMatchObject({ stats: { type: 'boolean', default: true } });
    expect(schema['required']).toEqual(['title']);
    expect(schema).not.toHaveProperty('$schema');
  });

  it('names no bounds that only the language has', () => {
    expect(JSON.stringify(describeParams(params({ a: wire.integer(), b: wire.float() })))).not.toMatch(
      /imum/,
    );
  });
});
