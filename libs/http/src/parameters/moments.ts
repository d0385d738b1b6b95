const CALENDAR = /^(\d{4})-?(\d{2})-?(\d{2})$/;
const CLOCK = /^(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?$/;
const ZONE = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
const MINUTE = 60_000;

/**
 * Reads a moment in ISO 8601, extended or basic (`2019-03-01T10:00:00.5+02:00`, `20190301T100000Z`, `2019-03-01`).
 * Without a zone it is UTC. A blank before the zone is a `+` that the client left unescaped in a query.
 */
export function readDateTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const [, date, rest] = /^([\d-]{8,10})(?:[T ](.+))?$/i.exec(value) ?? [];
  const day = startOfDay(date ?? '');
  if (day === undefined || rest === undefined) return day;
  const time = rest.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  const zone = ZONE.exec(time)?.[0] ?? 'Z';
  const sinceMidnight = millisecondsOfClock(time.replace(ZONE, ''));
  const offset = minutesOfZone(zone);
  if (sinceMidnight === undefined || offset === undefined) return undefined;
  return new Date(day.getTime() + sinceMidnight - offset * MINUTE);
}

/** Reads a calendar day, given alone or as the beginning of a moment, into `YYYY-MM-DD`. */
export function readDate(value: unknown): string | undefined {
  if (typeof value !== 'string' || readDateTime(value) === undefined) return undefined;
  return startOfDay(value.split(/[T ]/i)[0] ?? '')
    ?.toISOString()
    .slice(0, 10);
}

function startOfDay(text: string): Date | undefined {
  const [, year, month, day] = CALENDAR.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined || year === '0000') return undefined;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // The engine moves 31 February into March instead of refusing it.
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day) ? date : undefined;
}

function millisecondsOfClock(text: string): number | undefined {
  const [, hours, minutes, seconds = '0', fraction = '0'] = CLOCK.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole * 1000 + Math.floor(Number(`0.${fraction}`) * 1000);
}

function minutesOfZone(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.replace(/\D/g, '').padEnd(4, '0');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
