import { diffHasLine } from './diff-lines';

const DIFF = [
  '@@ -1,4 +1,5 @@',
  ' one',
  '-two',
  '+deux',
  '+zwei',
  ' three',
  '@@ -10,2 +11,1 @@',
  ' ten',
  '-eleven',
  '',
].join('\n');

it.each([
  [1, 1],
  [2, null],
  [null, 2],
  [null, 3],
  [3, 4],
  [10, 11],
  [11, null],
])('has the line %s of the old side and %s of the new one', (oldLine, newLine) => {
  expect(diffHasLine(DIFF, { oldLine, newLine })).toBe(true);
});

it.each([
  [null, null],
  [1, null],
  [null, 1],
  [2, 2],
  [3, 3],
  [4, 5],
  [null, 4],
  [0, 0],
  [12, null],
])('has no line %s of the old side and %s of the new one', (oldLine, newLine) => {
  expect(diffHasLine(DIFF, { oldLine, newLine })).toBe(false);
});
