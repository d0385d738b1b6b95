import { linkedUploads, withLinks, withPlaces } from './moved-text';

const SECRET = '0123456789abcdef0123456789abcdef';
const FROM = { path: 'group/here', base: 'https://service.example' };

describe('the files that a text links to', () => {
  it.each([
    [`![a](/uploads/${SECRET}/a.png)`, ['a.png']],
    [`[b](/uploads/${SECRET}/b%20c.txt) and /uploads/${SECRET}/ä.txt`, ['b c.txt', 'ä.txt']],
    [`/uploads/${SECRET}/a.png /uploads/${SECRET}/a.png`, ['a.png']],
    // What is decoded to a path is looked up as a name, which no file has.
    [`/uploads/${SECRET}/..%2f..%2fetc%2fpasswd`, ['../../etc/passwd']],
    [`/uploads/${SECRET}/../../etc/passwd`, []],
    [`/uploads/${SECRET.toUpperCase()}/a.png`, []],
    [`/uploads/${SECRET}0/a.png`, []],
    [`/group/other/uploads/${SECRET}/a.png`, []],
    [`https://service.example/uploads/${SECRET}/a.png`, []],
    [`/uploads/${SECRET}/%E0%A4%A`, []],
  ])('of %s are %j', (text, names) => {
    expect(linkedUploads(text).map(({ fileName }) => fileName)).toEqual(names);
  });

  it('get other links, and nothing else does', () => {
    const link = `/uploads/${SECRET}/a.png`;
    const text = `![a](${link}) ${link}.old /x${link}`;
    expect(withLinks(text, new Map([[link, '/uploads/new/a.png']]))).toBe(
      `![a](/uploads/new/a.png) ${link}.old /x${link}`,
    );
  });
});

describe('what a text names', () => {
  it.each([
    ['See #1, !2 and $3.', 'See group/here#1, group/here!2 and group/here$3.'],
    ['other#4 group/there#5 &6', 'group/other#4 group/there#5 &6'],
    ['`#1` and\n```\n#2\n```\nthen #3', '`#1` and\n```\n#2\n```\nthen group/here#3'],
    [
      'https://service.example/group/here/issues/1 #x &#39;',
      'https://service.example/group/here/issues/1 #x &#39;',
    ],
  ])('%j is called %j elsewhere', (text, moved) => {
    expect(withPlaces(text, FROM)).toBe(moved);
  });

  it('is found beside any amount of code, in which nothing is called otherwise', () => {
    const times = 100_000;
    const text = '`#1` #2'.repeat(times);
    const moved = withPlaces(text, { ...FROM, path: 'g' });
    expect(moved).toBe('`#1` g#2'.repeat(times));
  });

  it('stays as it is where the text would grow too long', () => {
    const text = '#1 '.repeat(300_000);
    expect(withPlaces(text, FROM)).toBe(text);
  });
});
