const SECONDS_OF_DAY = 86_400;
/** A year of so many days and a month of 30, as the reference's parser counts. */
const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  sec: 1,
  s: 1,
  minute: 60,
  min: 60,
  m: 60,
  hour: 3600,
  hr: 3600,
  h: 3600,
  day: SECONDS_OF_DAY,
  dy: SECONDS_OF_DAY,
  d: SECONDS_OF_DAY,
  week: 7 * SECONDS_OF_DAY,
  wk: 7 * SECONDS_OF_DAY,
  w: 7 * SECONDS_OF_DAY,
  month: 30 * SECONDS_OF_DAY,
  mo: 30 * SECONDS_OF_DAY,
  year: 31_557_600,
  yr: 31_557_600,
  y: 31_557_600,
};
const LONGEST_TEXT = 255;
/** What an integer column holds. */
const MOST_SECONDS = 2 ** 31 - 1;

/**
 * Whole seconds of a duration as people write it ("1 week", "3h 30m", "2 mins 4 sec", "90"); null for a text that is
 * none, that says nothing or no time at all, or that is longer than some 68 years.
 */
export function parseDuration(text: string): number | null {
  if (text.length > LONGEST_TEXT) return null;
  const pieces = text
    .toLowerCase()
    .replaceAll(/(?:,|\band\b)/g, ' ')
    .matchAll(/\s*(?:(\d+(?:\.\d+)?)\s*([a-z]*)|(\S))\s*/g);
  let total: number | null = null;
  for (const [, number, unit = ''] of pieces) {
    const seconds = unit === '' ? 1 : (SECONDS[unit] ?? SECONDS[unit.replace(/s$/, '')]);
    if (number === undefined || seconds === undefined) return null;
    total = (total ?? 0) + Number(number) * seconds;
  }
  if (total === null || total > MOST_SECONDS) return null;
  const seconds = Math.round(total);
  return seconds === 0 ? null : seconds;
}
