import fc from 'fast-check';
import { DomainError } from '#libs/errors';
import { addParameter, PARAMETER_COUNT_LIMIT, parseLargeRack, parseRack } from './rack-parameters';
import { emptyBag, isBag, type ParameterValue, RepeatedValue, UploadedFile } from './values';

function plain(value: ParameterValue | undefined): unknown {
  if (value instanceof RepeatedValue) return { repeated: value.values };
  if (Array.isArray(value)) return value.map(plain);
  if (!isBag(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

const parsed = (text: string): unknown => plain(parseRack(text));

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError && error.detail.kind === 'bad_request') return error.detail.message;
    throw error;
  }
  return 'accepted';
}

describe('parsing a query or form as Rack does', () => {
  it.each([
    ['', {}],
    ['a', { a: null }],
    ['a=', { a: '' }],
    ['=1', {}],
    ['a=1=2', { a: '1=2' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['&&a=1&& b=2&', { a: '1', b: '2' }],
    ['a=b+c%2Bd%20e', { a: 'b c+d e' }],
    ['a%5B%5D=1', { a: ['1'] }],
    ['name[]=v', { name: ['v'] }],
    ['iids[]=1&iids[]=2', { iids: ['1', '2'] }],
    ['h[key]=v', { h: { key: 'v' } }],
    ['h[a][b]=1&h[a][c]=2', { h: { a: { b: '1', c: '2' } } }],
    ['h[k]=1&h[k]=2', { h: { k: '2' } }],
    ['a[][k]=1&a[][j]=2&a[][k]=3', { a: [{ k: '1', j: '2' }, { k: '3' }] }],
    ['a[][b][c]=1&a[][b][d]=2&a[][b][c]=3', { a: [{ b: { c: '1', d: '2' } }, { b: { c: '3' } }] }],
    ['a[][b][]=1&a[][b][]=2', { a: [{ b: ['1', '2'] }] }],
    ['a[b]=1&a=2', { a: '2' }],
    ['a]=1', { a: '1' }],
    ['[a]=1', { a: '1' }],
    ['a[=1', { 'a[': '1' }],
    ['[]=1', {}],
    ['a[0]=x&a[1]=y', { a: { 0: 'x', 1: 'y' } }],
    ['a[k', { a: { k: null } }],
  ])('reads %j', (text, expected) => expect(parsed(text)).toEqual(expected));

  it('begins the next commit action where a key repeats', () => {
    const text =
      'actions[][action]=create&actions[][file_path]=a&actions[][action]=delete&actions[][file_path]=b';
    expect(parsed(text)).toEqual({
      actions: [
        { action: 'create', file_path: 'a' },
        { action: 'delete', file_path: 'b' },
      ],
    });
  });

  it('keeps all values of a repeated name without brackets', () => {
    expect(parsed('skip_groups=1&skip_groups=2&skip_groups=3&x=1')).toEqual({
      skip_groups: { repeated: ['1', '2', '3'] },
      x: '1',
    });
  });

  it.each(['a=1&a[b]=2', 'a=1&a[]=2', 'a[]=1&a[b]=2', 'a[b]=1&a[]=2', 'a=1&a=2&a[b]=3'])(
    'refuses the contradiction in %j',
    (text) => expect(refusalOf(() => parseRack(text))).toContain('expected'),
  );

  it.each(['a=%zz', 'a=%', '%f=1', 'a=%FF', 'a=%C3', 'a=%ED%A0%80'])('refuses the encoding of %j', (text) =>
    expect(refusalOf(() => parseRack(text))).toContain('invalid %-encoding'),
  );

  it.each(['a=%00', 'a%00b=1', 'a=\0'])('refuses the null byte in %j', (text) =>
    expect(refusalOf(() => parseRack(text))).toContain('null byte'),
  );

  it('cannot be turned against the prototype of objects', () => {
    const bag = parseRack(
      '__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1',
    );
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.keys(bag)).toEqual(['__proto__', 'constructor', 'a']);
  });

  it('nests 32 levels and no more', () => {
    const nested = (depth: number): string => `a${'[b]'.repeat(depth - 1)}=1`;
    expect(refusalOf(() => parseRack(nested(32)))).toBe('accepted');
    expect(refusalOf(() => parseRack(nested(33)))).toContain('nested too deep');
  });

  it('refuses a megabyte of opening brackets, and ignores a megabyte of separators', () => {
    expect(refusalOf(() => parseRack('a['.repeat(500_000)))).toContain('name too long');
    expect(refusalOf(() => parseRack('a['.repeat(2000)))).toContain('nested too deep');
    expect(parsed('&'.repeat(1_000_000))).toEqual({});
    expect(parsed('['.repeat(4000))).toEqual({});
  });

  it('takes as many parameters as the limit says', () => {
    const many = (count: number): string => Array.from({ length: count }, (_, i) => `p${i}=1`).join('&');
    expect(Object.keys(parseRack(many(PARAMETER_COUNT_LIMIT)))).toHaveLength(PARAMETER_COUNT_LIMIT);
    expect(refusalOf(() => parseRack(many(70_000)))).toContain('too many parameters');
  });

  it('takes a commit of 10,000 actions as a form', () => {
    const fields = ['action=create', 'file_path=x', 'content=y', 'encoding=text', 'last_commit_id=z'];
    const text = Array.from({ length: 10_000 }, () =>
      fields.map((f) => `actions[][${f.replace('=', ']=')}`).join('&'),
    );
    const { actions } = parseRack(text.join('&'));
    expect(actions).toHaveLength(10_000);
  });

  it('gives back what was written, for any nesting of hashes and lists', () => {
    const key = fc.stringMatching(/^[a-zé_.-]{1,8}$/);
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
        fc.array(fc.stringMatching(/^[^\0]{0,5}$/), { minLength: 1, maxLength: 5 }),
        fc.dictionary(key, tie('tree'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, tree, { noNullPrototype: true }), (given) => {
        expect(parsed(written(given))).toEqual(given);
      }),
    );
  });

  it('answers or refuses any text whatever', () => {
    const part = fc.constantFrom('a', 'b', '[', ']', '[]', '=', '&', '%41', '%', '+', ' ', '\n', 'é');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        expect(typeof refusalOf(() => parseRack(parts.join('')))).toBe('string');
      }),
      { numRuns: 1000 },
    );
  });
});

describe('parsing a large form in slices', () => {
  const largeRefusal = async (text: string): Promise<string> =>
    parseLargeRack(text).then(
      () => 'accepted',
      (error: unknown) =>
        refusalOf(() => {
          throw error;
        }),
    );

  it('reads and refuses what is read and refused at one stretch', async () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '[',
      ']',
      '[]',
      '=',
      '&',
      '%41',
      '%00',
      '%',
      '+',
      ' ',
      '%C3%A9',
      'é',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 40 }), async (parts) => {
        const text = parts.join('');
        const refusal = refusalOf(() => parseRack(text));
        if (refusal === 'accepted') expect(plain(await parseLargeRack(text))).toEqual(parsed(text));
        else expect(await largeRefusal(text)).not.toBe('accepted');
      }),
    );
  });

  it.each(['a', 'é', '€', '😀', ' ', '%'])('tears no %j apart, wherever a slice ends', async (character) => {
    const value = character.repeat(70_000);
    for (const shift of ['', 'x', 'xx', 'xxx', 'xxxx', 'xxxxx']) {
      const { a } = await parseLargeRack(`a=${shift}${encodeURIComponent(value)}&b=1`);
      expect(a === shift + value).toBe(true);
    }
  });

  it.each(['%BF'.repeat(100_000), `${'x'.repeat(65_535)}%`, `${'x'.repeat(200_000)}%zz`])(
    'refuses bad encoding far inside (%#)',
    async (value) => expect(await largeRefusal(`a=${value}`)).toContain('invalid %-encoding'),
  );

  it('refuses a null byte far inside, too long names and too many parameters', async () => {
    expect(await largeRefusal(`a=${'x'.repeat(200_000)}%00`)).toContain('null byte');
    expect(await largeRefusal('a['.repeat(500_000))).toContain('name too long');
    expect(await largeRefusal('p=1&'.repeat(70_000))).toContain('too many parameters');
  });

  it.each([
    ['one long value', `a=${'%C3%A9'.repeat(200_000)}`],
    ['many values', `a[][b]=${'%C3%A9'.repeat(20)}&`.repeat(10_000)],
    ['nothing but separators', '&'.repeat(1_000_000)],
  ])('lets the event loop turn while it reads %s', async (_name, text) => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await parseLargeRack(text);
    isDone = true;
    clock.mockRestore();
    expect(turns).toBeGreaterThan(5);
  });
});

describe('adding the fields of a multipart body', () => {
  it('nests by the same rules, files included', () => {
    const bag = emptyBag();
    const file = new UploadedFile('a.png', 'image/png', 'somewhere', 3);
    addParameter(bag, 'a[][k]', '100%00');
    addParameter(bag, 'a[][k]', 'x+y');
    addParameter(bag, 'user[avatar]', file);
    expect(plain(bag)).toEqual({ a: [{ k: '100%00' }, { k: 'x+y' }], user: { avatar: file } });
    expect(() => addParameter(bag, 'b', '\0')).toThrow(DomainError);
  });
});

function written(tree: object): string {
  const pairs = (name: string, value: unknown): string[] => {
    if (typeof value === 'string') return [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`];
    if (Array.isArray(value)) return value.flatMap((element) => pairs(`${name}[]`, element));
    return Object.entries(value ?? {}).flatMap(([key, inner]) => pairs(`${name}[${key}]`, inner));
  };
  return Object.entries(tree)
    .flatMap(([key, value]) => pairs(key, value))
    .join('&');
}
