import { parseDuration } from './durations';

it.each([
  ['90', 90],
  ['30 seconds', 30],
  ['2 mins 4 sec', 124],
  ['1h 30m', 5400],
  ['3 hrs and 1 minute', 10_860],
  ['1 day, 1 hour', 90_000],
  ['1 week', 604_800],
  ['1.5 hours', 5400],
  ['6 mos 1 day', 15_638_400],
  ['1 YEAR', 31_557_600],
])('reads %s as %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

it.each([
  '',
  '  ',
  '0',
  '0 days',
  '0.2',
  'soon',
  '1 fortnight',
  '-1 day',
  '1 day!',
  'day',
  '1000 years',
  '9'.repeat(300),
])('finds no duration in %j', (text) => {
  expect(parseDuration(text)).toBeNull();
});
