import { linkedUploads, withLinks } from './linked-uploads';

const SECRET = '0123456789abcdef0123456789abcdef';

describe('the files that a text links to', () => {
  it.each([
    [`![a](/uploads/${SECRET}/a.png)`, ['a.png']],
    [`[b](/uploads/${SECRET}/b%20c.txt) and /uploads/${SECRET}/ä.txt`, ['b c.txt', 'ä.txt']],
    [`/uploads/${SECRET}/a.png /uploads/${SECRET}/a.png`, ['a.png']],
    [`![a](/uploads/${SECRET}/a_1].png) [/uploads/${SECRET}/b.png]`, ['a_1].png', 'b.png']],
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
