/** A working day has eight hours, a week five days, a month four weeks. */
const SECONDS = { mo: 576_000, w: 144_000, d: 28_800, h: 3_600, m: 60, s: 1 } as const;
const UNITS = ['mo', 'w', 'd', 'h', 'm', 's'] as const;
type Unit = (typeof UNITS)[number];

/** Years are those of the calendar, as the reference has them. */
const YEAR = 31_557_600;

const WORDS: ReadonlyMap<string, number> = new Map([
  ...wordsFor('s', 'sec', 'secs', 'second', 'seconds'),
  ...wordsFor('m', 'min', 'mins', 'minute', 'minutes'),
  ...wordsFor('h', 'hr', 'hrs', 'hour', 'hours'),
  ...wordsFor('d', 'dy', 'dys', 'day', 'days'),
  ...wordsFor('w', 'wk', 'wks', 'week', 'weeks'),
  ...wordsFor('mo', 'mos', 'month', 'months'),
  ...['y', 'yr', 'yrs', 'year', 'years'].map((word): [string, number] => [word, YEAR]),
]);

function wordsFor(unit: Unit, ...others: string[]): [string, number][] {
  return [unit, ...others].map((word) => [word, SECONDS[unit]]);
}

const LONGEST = 255;
const PART = /(\d+(?:\.\d+)?)\s*([a-z]*)[\s,]*/y;
const CLOCK = /^\d+(?:\s*:\s*\d+){1,5}$/;
/** What the numbers of a clock count, from its end. */
const CLOCK_UNITS = [SECONDS.s, SECONDS.m, SECONDS.h, SECONDS.d, SECONDS.mo, YEAR] as const;

/**
 * Whole seconds of what people write: "3h30m", "1mo 2w 3d", "-1.5h", "1:30" (minutes and seconds, as "1:30:00" has
 * hours before them). A number without a unit counts hours. Null for what is no duration, nothing at all included.
 */
export function parseDuration(text: string): number | null {
  const written = text.trim().toLowerCase();
  if (written.length > LONGEST) return null;
  const isNegative = written.startsWith('-');
  const seconds = secondsOf(isNegative ? written.slice(1).trim() : written);
  if (seconds === null || seconds === 0) return null;
  return isNegative ? -seconds : seconds;
}

function secondsOf(text: string): number | null {
  if (CLOCK.test(text)) {
    const counts = text.split(':').toReversed();
    return counts.reduce((total, count, index) => total + Number(count) * (CLOCK_UNITS[index] ?? 0), 0);
  }
  let total = 0;
  let position = 0;
  while (position < text.length) {
    PART.lastIndex = position;
    const [part, amount, word] = PART.exec(text) ?? [];
    if (part === undefined) return null;
    const unit = word === '' || word === undefined ? SECONDS.h : WORDS.get(word);
    if (unit === undefined) return null;
    total += Number(amount) * unit;
    position += part.length;
  }
  return Math.floor(total);
}

/** "1mo 2w 3d 4h 5m 6s"; null for no time at all. */
export function humanDuration(seconds: number): string | null {
  const parts: string[] = [];
  let rest = Math.abs(seconds);
  for (const unit of UNITS) {
    const amount = Math.floor(rest / SECONDS[unit]);
    rest -= amount * SECONDS[unit];
    if (amount > 0) parts.push(`${amount}${unit}`);
  }
  return parts.length === 0 ? null : parts.join(' ');
}
