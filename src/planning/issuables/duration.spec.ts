import { humanDuration, parseDuration } from './duration';

const HOUR = 3600;

describe('a duration', () => {
  it.each([
    ['3h30m', 3.5 * HOUR],
    ['3h 30m', 3.5 * HOUR],
    ['1mo2w3d', (160 + 80 + 24) * HOUR],
    ['1mo 2w 3d 4h 5m 6s', (160 + 80 + 24 + 4) * HOUR + 306],
    ['1 week, 2 days', 56 * HOUR],
    ['2 Hours', 2 * HOUR],
    ['1.5h', 1.5 * HOUR],
    ['3', 3 * HOUR],
    ['1:30', 90],
    ['1:30:15', 1.5 * HOUR + 15],
    ['2:1:30:15', 17.5 * HOUR + 15],
    ['-0:75', -75],
    ['1 : 30', 90],
    ['-1h 30m', -1.5 * HOUR],
    ['1y', 31_557_600],
  ])('%j has %d seconds', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each([
    '',
    ' ',
    '-',
    '0',
    '0h',
    'soon',
    '1 fortnight',
    'h',
    '1h x',
    '1:',
    '1:x',
    '1:2:3:4:5:6:7',
    '--1h',
    '1'.repeat(256),
  ])('is not %j', (text) => expect(parseDuration(text)).toBeNull());

  it('takes no longer for a long text', () => {
    expect(parseDuration('1 '.repeat(127))).toBe(127 * HOUR);
  });

  it.each([
    [0, null],
    [59, '59s'],
    [3.5 * HOUR, '3h 30m'],
    [8 * HOUR, '1d'],
    [(160 + 80 + 24 + 4) * HOUR + 306, '1mo 2w 3d 4h 5m 6s'],
    [-HOUR, '1h'],
  ])('of %d seconds reads %j', (seconds, text) => expect(humanDuration(seconds)).toBe(text));

  it('reads back as it was written', () => {
    for (let seconds = 1; seconds < 10_000_000; seconds += 77_777)
      expect(parseDuration(humanDuration(seconds) ?? '')).toBe(seconds);
  });
});
