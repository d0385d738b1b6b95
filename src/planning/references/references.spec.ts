import { parseClosed } from './parse-closed';
import { parseReferences } from './parse-references';
import { MOST_REFERENCES, pathOf, type Reference } from './reference';

const base = 'https://service.example';
const named = (text: string): string[] => parseReferences(text, { base }).map(shown);
const closed = (text: string): string[] => parseClosed(text, { base }).map(shown);

function shown(reference: Reference): string {
  const end = 'iid' in reference ? reference.iid : reference.sha;
  return `${reference.kind} ${reference.path ?? '.'} ${end}`;
}

describe('what a text names', () => {
  it.each([
    ['see #1', ['issue . 1']],
    ['(!2)', ['merge_request . 2']],
    ['$3 and &4', ['snippet . 3', 'epic . 4']],
    ['other#5', ['issue other 5']],
    ['a/b/c!6, a/b&7', ['merge_request a/b/c 6', 'epic a/b 7']],
    ['#1 #1 a/b#1', ['issue . 1', 'issue a/b 1']],
    [
      'deadbee and a/b@0123456789abcdef0123456789abcdef01234567',
      ['commit . deadbee', 'commit a/b 0123456789abcdef0123456789abcdef01234567'],
    ],
    [`${base}/a/b/issues/8#note_9.`, ['issue a/b 8']],
    [`<${base}/a/b/-/merge_requests/10/diffs>`, ['merge_request a/b 10']],
    [`[x](${base}/groups/a/b/-/epics/11)`, ['epic a/b 11']],
    [`${base}/a/b/commit/deadbeef`, ['commit a/b deadbeef']],
  ])('%s', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  it.each([
    'nothing',
    '#0',
    '#99999999999',
    '#1st',
    '&#49;',
    '`#1` and ``!2 ` #3``',
    '```\n#1\n```',
    '~~~ruby\n#1\n```\n#2',
    '//x/y#1',
    '../../-x#1',
    'https://elsewhere.example/a/b/issues/1',
    `${base}.evil/a/b/issues/1`,
    `${base}/groups/a/issues/1`,
    'deadbe',
    'deadbeefg',
  ])('is nothing in: %s', (text) => {
    expect(named(text)).toEqual([]);
  });

  it('goes on after code', () => {
    expect(named('```\n#1\n```\n#2 ` #3')).toEqual(['issue . 2', 'issue . 3']);
  });

  it('is bounded', () => {
    const text = Array.from({ length: 1000 }, (_, index) => `#${index + 1}`).join(' ');
    expect(named(text)).toHaveLength(MOST_REFERENCES);
    expect(closed(`Closes ${text.replaceAll(' ', ', ')}`)).toHaveLength(MOST_REFERENCES);
  });

  it('stands in the namespace of the project when it is a plain name', () => {
    const [reference] = parseReferences('other#5', { base });
    expect(reference && pathOf(reference, 'a/b/own')).toBe('a/b/other');
  });
});

describe('what a text closes', () => {
  it.each([
    ['Closes #1', ['issue . 1']],
    [
      'This fixes #20, Fixes #21 and Closes group/otherproject#22.',
      ['issue . 20', 'issue . 21', 'issue group/otherproject 22'],
    ],
    ['Resolved: issue #1 , issues #2,#3 and #4', ['issue . 1', 'issue . 2', 'issue . 3', 'issue . 4']],
    [`implementing ${base}/a/b/issues/8 #9`, ['issue a/b 8', 'issue . 9']],
    ['close  #1', ['issue . 1']],
    ['fix #1\nimplemented #2', ['issue . 1', 'issue . 2']],
  ])('%s', (text, expected) => {
    expect(closed(text)).toEqual(expected);
  });

  it.each([
    'Related to #1',
    'encloses #1',
    'Closes !1',
    'CLOSES #1',
    'Closes\n#1',
    'Closes `#1`',
    'Closes the #1',
  ])('is nothing in: %s', (text) => {
    expect(closed(text)).toEqual([]);
  });

  it('ends with its list', () => {
    expect(closed('Closes #1 but not #2')).toEqual(['issue . 1']);
    expect(closed('Closes #1and #2')).toEqual([]);
  });
});

describe('hostile texts', () => {
  const size = 300_000;
  const hostile = [
    '#',
    '`',
    'a/',
    ' ',
    'close ',
    'close #1',
    '# ',
    'https://',
    `${base}/`,
    'a',
    '0',
    '#1',
    '#1 ,',
    '~~~\n',
    '``` `` ` ',
  ];

  /** Work in proportion to the length: a text of this size takes milliseconds, with anything worse it would take hours. */
  it.each(hostile)('made of "%s" are read', (piece) => {
    const text = piece.repeat(Math.ceil(size / piece.length));
    expect(named(text).length).toBeLessThanOrEqual(MOST_REFERENCES);
    expect(closed(`Closes #1${text}`).length).toBeLessThanOrEqual(MOST_REFERENCES);
  });
});
