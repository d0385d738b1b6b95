import { DomainError } from '#libs/errors';
import type { z } from 'zod';
import { params, parseParams } from './params';
import { readDate, readDateTime } from './moments';
import { type ParameterValue, RepeatedValue, UploadedFile } from './values';
import { wire } from './wire';

/** What a field named x makes of a value: the result, or the refusal's sentence. */
function read(type: z.ZodType, value: ParameterValue | undefined): unknown {
  try {
    return parseParams(params({ x: type }), value === undefined ? {} : { x: value }).x;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.detail.kind === 'invalid_parameter') return error.detail.text;
    return error.detail.kind === 'missing' ? `missing ${error.detail.attribute}` : error;
  }
}

const invalid = 'x is invalid';
const file = new UploadedFile('a.png', 'image/png', 'somewhere', 3);
/** What an attacker sends in place of a scalar (CVE-2023-7028). */
const composed: ParameterValue[] = [[], ['a'], ['1'], { a: '1' }, { 0: '1' }, [['1']], file];

describe('text', () => {
  it.each<[ParameterValue, unknown]>([
    ['', ''],
    ['  ', '  '],
    ['é😀', 'é😀'],
    [5, '5'],
    [1.5, '1.5'],
    [true, 'true'],
    [new RepeatedValue(['1', '2']), '2'],
    ['a\0', invalid],
    ['\ud800', invalid],
    ['\udc00x', invalid],
  ])('reads %j as %j', (value, expected) => expect(read(wire.text(), value)).toBe(expected));

  it.each(['', ' ', '\n\t'])('is empty when it must not be blank and is %j', (value) =>
    expect(read(wire.text({ blank: false }), value)).toBe('x is empty'),
  );

  it('has a greatest length', () => {
    expect(read(wire.text({ max: 3 }), 'abc')).toBe('abc');
    expect(read(wire.text({ max: 3 }), 'abcd')).toBe('x is too long (maximum is 3 characters)');
  });
});

describe('booleans', () => {
  it.each<ParameterValue>([true, 1, 'true', 'True', 'TRUE', 't', '1', 'on', 'yes', 'Yes'])(
    'reads %j as true',
    (value) => expect(read(wire.boolean(), value)).toBe(true),
  );
  it.each<ParameterValue>([false, 0, 'false', 'False', 'f', '0', 'off', 'no'])('reads %j as false', (value) =>
    expect(read(wire.boolean(), value)).toBe(false),
  );
  it.each<ParameterValue>([2, -1, 'maybe', '2', ' true', '', 'y'])('refuses %j', (value) =>
    expect(read(wire.boolean(), value)).toBe(invalid),
  );
});

describe('numbers', () => {
  it.each<[ParameterValue, unknown]>([
    ['12', 12],
    [12, 12],
    ['-3', -3],
    ['+7', 7],
    ['-0', 0],
    ['007', 7],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', invalid],
    ['99999999999999999999', invalid],
    [1e300, invalid],
    ['1.5', invalid],
    [1.5, invalid],
    ['0x1', invalid],
    ['1e3', invalid],
    ['', invalid],
    [' 1', invalid],
    [true, invalid],
  ])('reads %j as the integer %j', (value, expected) => expect(read(wire.integer(), value)).toBe(expected));

  it('keeps an integer within its range', () => {
    expect(read(wire.integer({ min: 1, max: 5 }), '5')).toBe(5);
    expect(read(wire.integer({ min: 1, max: 5 }), '6')).toBe('x does not have a valid value');
  });

  it.each<[ParameterValue, unknown]>([
    ['12.5', 12.5],
    [12.5, 12.5],
    ['-1', -1],
    ['.5', 0.5],
    ['1e2', 100],
    ['1e999', invalid],
    ['NaN', invalid],
    ['', invalid],
    ['.', invalid],
  ])('reads %j as the decimal %j', (value, expected) => expect(read(wire.float(), value)).toBe(expected));

  it.each<[ParameterValue, unknown]>([
    ['12', 12],
    [12, 12],
    ['g/p', 'g/p'],
    ['12a', '12a'],
    ['', invalid],
    [1.5, invalid],
    ['99999999999999999999', invalid],
  ])('reads %j as the id or path %j', (value, expected) =>
    expect(read(wire.idOrPath(), value)).toBe(expected),
  );
});

describe('whole numbers, None and Any', () => {
  it.each<[ParameterValue, unknown]>([
    ['5', 5],
    [5, 5],
    ['None', 'None'],
    ['any', 'Any'],
    ['some', `x should be an integer, 'None' or 'Any', however got some`],
    [['1'], invalid],
  ])('reads %j as %j', (value, expected) => expect(read(wire.integerNoneAny(), value)).toBe(expected));
});

describe('lists of whole numbers, None and Any', () => {
  const sentence = `x should be an array of integers, 'None' or 'Any'`;
  it.each<[ParameterValue, unknown]>([
    ['1,2', [1, 2]],
    [
      ['1', 2],
      [1, 2],
    ],
    [new RepeatedValue(['1', '2']), [1, 2]],
    ['none', 'None'],
    [['ANY'], 'Any'],
    ['1,2,3', 'x has more than 2 elements'],
    [['1', '2', '3'], 'x has more than 2 elements'],
    ['me', sentence],
    ['None,Any', sentence],
    [['1', 'None'], sentence],
    [[['1']], sentence],
    [{ 0: '1' }, invalid],
  ])('reads %j as %j', (value, expected) =>
    expect(read(wire.integersNoneAny({ max: 2 }), value)).toEqual(expected),
  );
});

describe('enumerations', () => {
  it.each<[ParameterValue, unknown]>([
    ['text', 'text'],
    ['Text', 'x does not have a valid value'],
    ['', 'x does not have a valid value'],
    [5, 'x does not have a valid value'],
  ])('reads %j as %j', (value, expected) =>
    expect(read(wire.oneOf(['text', 'base64']), value)).toBe(expected),
  );

  it.each<[ParameterValue, unknown]>([
    ['10', 10],
    [20, 20],
    ['11', 'x does not have a valid value'],
    ['ten', invalid],
  ])('reads %j as the level %j', (value, expected) =>
    expect(read(wire.oneOfIntegers([10, 20]), value)).toBe(expected),
  );
});

describe('moments', () => {
  it.each([
    ['2019-03-01T10:00:00Z', '2019-03-01T10:00:00.000Z'],
    ['2019-03-01T10:00:00.123456+02:00', '2019-03-01T08:00:00.123Z'],
    ['2019-03-01T10:00:00 02:00', '2019-03-01T08:00:00.000Z'],
    ['2019-03-01T10:00:00-0230', '2019-03-01T12:30:00.000Z'],
    ['2019-03-01 10:00', '2019-03-01T10:00:00.000Z'],
    ['20190301T100000Z', '2019-03-01T10:00:00.000Z'],
    ['2019-03-01', '2019-03-01T00:00:00.000Z'],
  ])('reads %j', (text, expected) => expect(readDateTime(text)?.toISOString()).toBe(expected));

  it.each([
    '',
    'yesterday',
    '2019-02-31',
    '2019-13-01',
    '2019-03-01T25:00:00Z',
    '2019-03-01T10:00:00+99:00',
    '0000-01-01',
  ])('refuses %j', (text) => expect(read(wire.dateTime(), text)).toBe(invalid));

  it.each([1551434400, true])('refuses %j, which is no text', (value) =>
    expect(read(wire.dateTime(), value)).toBe(invalid),
  );

  it('reads a calendar day as text, so that no time zone can shift it', () => {
    expect(readDate('2019-03-01')).toBe('2019-03-01');
    expect(readDate('2019-03-01T23:59:59-10:00')).toBe('2019-03-01');
    expect(read(wire.date(), '2019-02-29')).toBe(invalid);
  });
});

describe('lists and hashes', () => {
  it.each<[ParameterValue, unknown]>([
    [
      ['1', 2],
      [1, 2],
    ],
    ['3', [3]],
    [3, [3]],
    [new RepeatedValue(['1', '2']), [1, 2]],
    [[], []],
    ['a', invalid],
    [['a'], invalid],
    [[null], invalid],
    [[['1']], invalid],
    [[{ a: '1' }], invalid],
    [{ 0: '1' }, invalid],
  ])('reads %j as the list of integers %j', (value, expected) =>
    expect(read(wire.list(wire.integer()), value)).toEqual(expected),
  );

  it('has a least and a greatest length', () => {
    const list = wire.list(wire.integer(), { min: 1, max: 2 });
    expect(read(list, [])).toBe('x is empty');
    expect(read(list, [1, 2, 3])).toBe('x has more than 2 elements');
  });

  it.each<[ParameterValue, unknown]>([
    ['bug, ui,,', ['bug', 'ui']],
    [
      ['bug', 'ui'],
      ['bug', 'ui'],
    ],
    ['', []],
    [{ a: '1' }, invalid],
  ])('reads %j as the words %j', (value, expected) =>
    expect(read(wire.commaSeparated(), value)).toEqual(expected),
  );

  it.each<[ParameterValue, unknown]>([
    ['1,2', [1, 2]],
    ['1, 2', [1, 2]],
    ['3', [3]],
    [4, [4]],
    [
      ['1', 2],
      [1, 2],
    ],
    [
      ['1,2', '3'],
      [1, 2, 3],
    ],
    [new RepeatedValue(['1', '2']), [1, 2]],
    ['1,x', invalid],
    ['1,', invalid],
    [{ 0: '1' }, invalid],
    [[[1]], invalid],
    ['1,2,3,4', 'x has more than 3 elements'],
  ])('reads %j as whole numbers', (value, expected) => {
    expect(read(wire.integers({ max: 3 }), value)).toEqual(expected);
  });

  it('reads hashes of texts', () => {
    expect(read(wire.hashOf(wire.text()), { a: 1, b: 'c' })).toEqual({ a: '1', b: 'c' });
    expect(read(wire.hashOf(wire.text()), ['a'])).toBe(invalid);
    expect(read(wire.hashOf(wire.text()), { a: ['b'] })).toBe('x[a] is invalid');
    const hostile: ParameterValue = JSON.parse('{"__proto__":"y","a":"b"}');
    expect(read(wire.hashOf(wire.text()), hostile)).toEqual({ a: 'b' });
  });

  it.each<ParameterValue>(['a', ['a'], [1], { 0: { name: 'a' } }, { name: 'a' }])(
    'takes %j for no list of hashes',
    (value) => expect(read(wire.list(params({ name: wire.text() })), value)).toBe(invalid),
  );
});

describe('files', () => {
  it('takes an uploaded file and nothing else', () => {
    expect(read(wire.file(), file)).toBe(file);
    expect(read(wire.file(), 'a.png')).toBe(invalid);
    expect(read(wire.file().optional(), '')).toBeUndefined();
  });
});

describe('a list, a hash or a file in place of a scalar', () => {
  const scalars = {
    text: wire.text(),
    boolean: wire.boolean(),
    integer: wire.integer(),
    float: wire.float(),
    oneOf: wire.oneOf(['a']),
    oneOfIntegers: wire.oneOfIntegers([1]),
    dateTime: wire.dateTime(),
    date: wire.date(),
    idOrPath: wire.idOrPath(),
  };
  it.each(Object.entries(scalars))('is refused by %s', (_name, type) => {
    for (const value of composed) {
      expect(read(type, value)).toBe(invalid);
      expect(read(type.optional(), value)).toBe(invalid);
    }
  });
});

describe('nothing', () => {
  it('is missing where the field is required', () => {
    expect(read(wire.text(), undefined)).toBe('missing x');
    expect(read(wire.text(), null)).toBe('missing x');
  });

  it.each([
    ['text', wire.text().optional(), ''],
    ['a boolean', wire.boolean().optional(), undefined],
    ['an integer', wire.integer().optional(), undefined],
    ['a list', wire.list(wire.integer()).optional(), undefined],
  ])('is accepted for optional %s, where a blank reads as its third', (_name, type, blank) => {
    expect(read(type, undefined)).toBeUndefined();
    expect(read(type, null)).toBeUndefined();
    expect(read(type, '')).toEqual(blank);
  });

  it('gives the default', () => {
    const type = wire.boolean().default(true);
    expect([undefined, null, '', false].map((value) => read(type, value))).toEqual([true, true, true, false]);
  });

  it('clears a nullable field', () => {
    const date = wire.date().nullable().optional();
    expect([undefined, null, '', '2019-03-01'].map((value) => read(date, value))).toEqual([
      undefined,
      null,
      null,
      '2019-03-01',
    ]);
    expect(read(wire.text().nullable().optional(), '')).toBe('');
  });
});
