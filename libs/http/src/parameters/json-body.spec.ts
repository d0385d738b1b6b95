import fc from 'fast-check';
import { readJson } from './json-body';
import { JsonPieces } from './json-pieces';
import { LongText } from './long-text';
import { isBag, type ParameterValue } from './values';

const MEBIBYTE = 1024 * 1024;

/** Puts a text together of pieces that end wherever the cuts say. */
function inPieces(text: string, cuts: readonly number[]): string[] {
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

/** What comes of it: the value, or the kind of failure. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof SyntaxError) return 'malformed';
    throw error;
  }
}

function throughPieces(text: string, cuts: readonly number[]): unknown {
  return outcomeOf(() => {
    const pieces = new JsonPieces();
    for (const piece of inPieces(text, cuts)) pieces.add(piece);
    return pieces.end();
  });
}

const wholly = (text: string): unknown =>
  outcomeOf(() => (text.trim() === '' ? undefined : JSON.parse(text)));

/** Strings on both sides of the length from which they are cut out, of everything that JSON can escape. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 80 }))
    .map(([unit, times]) => unit.repeat(times)),
  fc.constantFrom('\ud800', '\udc00'.repeat(300), '"\\'.repeat(200), '\u0001\n'.repeat(180), '__proto__'),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(text, tie('value'), { maxKeys: 6 }),
  ),
}));
const cuts = fc.array(fc.nat(), { maxLength: 12 });

describe('JSON in pieces', () => {
  it('is what JSON.parse makes of the whole, wherever the pieces end', () => {
    fc.assert(
      fc.property(value, cuts, fc.nat(2), (given, ends, indent) => {
        const json = JSON.stringify(given, null, indent);
        expect(throughPieces(json, ends)).toEqual(wholly(json));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused when JSON.parse refuses the whole', () => {
    const damage = fc.constantFrom('"', '\\', '\\u12', '{', ']', ',', ':', '\n', ' ', '1', 'x', '\u0000', '');
    fc.assert(
      fc.property(value, cuts, damage, fc.nat(), fc.nat(3), (given, ends, put, where, removed) => {
        const json = JSON.stringify(given);
        const at = where % (json.length + 1);
        const damaged = json.slice(0, at) + put + json.slice(at + removed);
        expect(throughPieces(damaged, ends)).toEqual(wholly(damaged));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    '{"a":1,"a":2}',
    '[1 2]',
    '{"a" "b"}',
    '"',
    '"\\',
    '',
    ' \n ',
    '"\\u00',
    '{"a":"b",}',
    '[,]',
    '\uFEFF1',
  ])('is judged as the whole is: %j', (json) => expect(throughPieces(json, [1, 2, 3])).toEqual(wholly(json)));

  it('takes no text of a client for one that was cut out', () => {
    const long = 'x'.repeat(1_000);
    const json = JSON.stringify({ long, short: '0', 0: '1', nested: [long, '\u0000'] });
    expect(throughPieces(json, [])).toEqual(wholly(json));
  });

  it('gives names and values their places, also those that look like a prototype', () => {
    const long = 'x'.repeat(1_000);
    const json = `{"__proto__":${JSON.stringify(long)},"${long}":["${long}"]}`;
    expect(throughPieces(json, [300])).toEqual(wholly(json));
    expect(Object.keys(JSON.parse(json))).toHaveLength(2);
  });

  it('is refused where too much is left without its long strings', () => {
    const pieces = new JsonPieces();
    expect(() => {
      for (let size = 0; size < 40 * MEBIBYTE; size += MEBIBYTE) pieces.add('1'.repeat(MEBIBYTE));
    }).toThrow(expect.objectContaining({ detail: { kind: 'too_large' } }));
  });
});

describe('a large JSON body', () => {
  async function* chunks(body: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
  }
  const read = (body: string, size = 65_536) => readJson(chunks(Buffer.from(body), size));

  function contentOf(found: ParameterValue | undefined): ParameterValue | undefined {
    return isBag(found) ? found['content'] : undefined;
  }

  it.each([1_000, 65_536, 10 * MEBIBYTE])('is read whole, in chunks of %i bytes', async (size) => {
    const body = { list: Array.from({ length: 3_000 }, (_, n) => ({ n, text: `é${n}`.repeat(n % 200) })) };
    expect(await read(JSON.stringify(body), size)).toEqual(body);
  });

  it('has a text of more than a mebibyte in pieces, letter for letter', async () => {
    const content = 'line "é" 😀\n'.repeat(200_000);
    const found = contentOf(await read(JSON.stringify({ content }), 50_001));
    expect(found).toBeInstanceOf(LongText);
    if (!(found instanceof LongText)) return;
    expect(found.toString() === content).toBe(true);
    expect(found.isWellFormed).toBe(true);
    expect((await found.bytes('utf8')).equals(Buffer.from(content))).toBe(true);
  });

  it('tells half a surrogate pair from a pair that two pieces share', async () => {
    const pairs = '😀'.repeat(MEBIBYTE);
    const paired = contentOf(await read(JSON.stringify({ content: `x${pairs}` })));
    const halved = contentOf(await read(JSON.stringify({ content: `${pairs}\ud83d` })));
    expect(paired).toMatchObject({ isWellFormed: true });
    expect(halved).toMatchObject({ isWellFormed: false });
  });

  it('is malformed, empty or cut off as a small one is', async () => {
    const blank = ' '.repeat(MEBIBYTE);
    const malformed = { detail: { kind: 'invalid_parameter', text: 'The JSON body is malformed' } };
    expect(await read(blank)).toBeUndefined();
    expect(await read(`${blank}7${blank}`)).toBe(7);
    await expect(read(`{"a":"${'x'.repeat(MEBIBYTE)}`)).rejects.toMatchObject(malformed);
    await expect(read(`{"a":"${'x\n'.repeat(MEBIBYTE)}"}`)).rejects.toMatchObject(malformed);
    await expect(read(`${blank}}`)).rejects.toMatchObject(malformed);
    await expect(read(`"${'x'.repeat(MEBIBYTE)}\\u0000"`)).rejects.toMatchObject({
      detail: { kind: 'bad_request' },
    });
  });
});

describe('base64 in a long text', () => {
  it('is never one string, wherever its padding lies', async () => {
    const content = Buffer.alloc(2_000_000, 'some bytes').toString('base64');
    expect(content).toMatch(/=$/);
    const whole = jest.spyOn(LongText.prototype, 'toString');
    for (let end = content.length - 4; end <= content.length; end += 1) {
      const bytes = await new LongText([content.slice(0, end), content.slice(end)], true).bytes('base64');
      expect(bytes.equals(Buffer.alloc(2_000_000, 'some bytes'))).toBe(true);
    }
    expect(whole).not.toHaveBeenCalled();
    whole.mockRestore();
  });

  const letters = fc.string({
    unit: fc.constantFrom(...'ABCxyz0189+/-_=\r\n\t ~é'),
    maxLength: 40,
  });
  const clean = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64'));

  it('gives the bytes that Buffer.from gives, wherever the pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          clean,
          letters,
          fc.tuple(clean, letters).map((parts) => parts.join('')),
        ),
        cuts,
        async (base64, ends) => {
          const bytes = await new LongText(inPieces(base64, ends), true).bytes('base64');
          expect(bytes.equals(Buffer.from(base64, 'base64'))).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
