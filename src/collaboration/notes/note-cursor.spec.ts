import { DomainError } from '#libs/errors';
import { readCursor, writeCursor } from './note-cursor';

it.each([
  { seconds: 1_500_000_000, micros: 123_456, id: 7 },
  { seconds: -62_135_596_800, micros: 0, id: 1 },
])('comes back as it was written', (cursor) => {
  expect(readCursor(writeCursor(cursor))).toEqual(cursor);
});

it.each([
  '',
  '1',
  '1_2',
  '1_2_',
  'a_b_c',
  '1_1234567_1',
  '999999999999_0_1',
  '-300000000000_0_1',
  '1_2_3_4',
  '1e3_0_1',
  ' 1_2_3',
])('refuses %j, which no link has', (text) => {
  expect(() => readCursor(text)).toThrow(DomainError);
});
