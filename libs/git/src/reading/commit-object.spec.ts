import { parseCommit, parsePerson, signedPayload } from './commit-object';
import { unquotePath } from './quoted-path';
import { parseTree } from './tree-object';

const SHA = 'a'.repeat(40);
const raw = (lines: readonly string[], encoding: BufferEncoding = 'utf8'): Buffer =>
  Buffer.from(lines.join('\n'), encoding);

describe('a raw commit', () => {
  it('is read with all its parents', () => {
    const commit = parseCommit(
      SHA,
      raw([
        `tree ${'1'.repeat(40)}`,
        `parent ${'2'.repeat(40)}`,
        `parent ${'3'.repeat(40)}`,
        'author Ann <ann@example.com> 1500000000 +0230',
        'committer Carl C. <carl@example.com> 1500000001 -0100',
        '',
        'Subject',
        '',
        'Body',
        '',
      ]),
    );
    expect(commit).toEqual({
      sha: SHA,
      tree: '1'.repeat(40),
      parents: ['2'.repeat(40), '3'.repeat(40)],
      author: { name: 'Ann', email: 'ann@example.com', time: 1_500_000_000, offset: '+0230' },
      committer: { name: 'Carl C.', email: 'carl@example.com', time: 1_500_000_001, offset: '-0100' },
      message: 'Subject\n\nBody\n',
      hasSignature: false,
    });
  });

  it('is decoded as it declares', () => {
    const commit = parseCommit(
      SHA,
      raw(['author Jürgen <j@x> 1 +0000', 'encoding ISO-8859-1', '', 'Grüße'], 'latin1'),
    );
    expect([commit.author.name, commit.message]).toEqual(['Jürgen', 'Grüße']);
  });

  it('is read as UTF-8 with replacements when it declares nothing, or nothing known', () => {
    expect(parseCommit(SHA, raw(['', 'Gr\xfc'], 'latin1')).message).toBe('Gr\ufffd');
    expect(parseCommit(SHA, raw(['encoding klingon', '', 'x'])).message).toBe('x');
  });

  it('gives its signature and what is signed', () => {
    const signed = raw([
      `tree ${SHA}`,
      'gpgsig -----BEGIN PGP SIGNATURE-----',
      ' ',
      ' abc',
      ' -----END PGP SIGNATURE-----',
      'encoding UTF-8',
      'gpgsig-sha256 other',
      ' more',
      '',
      'gpgsig not a header',
      '',
    ]);
    expect(parseCommit(SHA, signed).hasSignature).toBe(true);
    expect(signedPayload(signed)).toEqual({
      signature: '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n',
      payload: raw([`tree ${SHA}`, 'encoding UTF-8', '', 'gpgsig not a header', '']),
    });
    expect(signedPayload(raw([`tree ${SHA}`, '', 'plain']))).toBeNull();
  });

  it.each([
    ['Ann <ann@x> 12 +0100', { name: 'Ann', email: 'ann@x', time: 12, offset: '+0100' }],
    ['<ann@x> 12 +0100', { name: '', email: 'ann@x', time: 12, offset: '+0100' }],
    ['Ann <a@x> b> 12 +0100', { name: 'Ann', email: 'a@x', time: 12, offset: '+0100' }],
    ['Ann <ann@x>', { name: 'Ann', email: 'ann@x', time: 0, offset: '+0000' }],
    ['Ann', { name: 'Ann', email: '', time: 0, offset: '+0000' }],
  ])('names a person leniently: %s', (text, person) => {
    expect(parsePerson(text)).toEqual(person);
  });
});

describe('a raw tree', () => {
  it('is refused when it is damaged', () => {
    expect(() => parseTree(Buffer.from('100644 name\0too short'))).toThrow(RangeError);
  });
});

describe('a path in quotes', () => {
  it.each([
    ['plain', 'plain'],
    ['"tab\\there"', 'tab\there'],
    ['"quote\\"back\\\\slash"', 'quote"back\\slash'],
    ['"\\303\\274"', 'ü'],
    ['"ü\\001"', 'ü\u0001'],
  ])('%s', (printed, path) => {
    expect(unquotePath(printed)).toBe(path);
  });
});
