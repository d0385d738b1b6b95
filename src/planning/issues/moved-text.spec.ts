import { withPlaces } from './moved-text';

const FROM = { path: 'group/here', base: 'https://service.example' };

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
