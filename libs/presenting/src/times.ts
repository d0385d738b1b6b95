/** A moment as git recorded it: Unix seconds and the writer's own offset ("+0200"). */
interface GitTime {
  readonly time: number;
  readonly offset: string;
}

const OFFSET = /^([+-])(\d{2})(\d{2})$/;

/** Seconds an offset such as "-0730" stands for; malformed offsets of old commits count as UTC. */
function offsetSeconds(offset: string): number {
  const [, sign, hours, minutes] = OFFSET.exec(offset) ?? [];
  if (hours === undefined || minutes === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** ISO 8601 with milliseconds and the writer's offset, as commits carry it: "2026-01-31T09:00:00.000+02:00". */
export function presentGitTime({ time, offset }: GitTime): string {
  const shift = offsetSeconds(offset);
  const local = new Date((time + shift) * 1000);
  const stamp = Number.isNaN(local.getTime()) ? new Date(0).toISOString() : local.toISOString();
  const suffix = OFFSET.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : '+00:00';
  return stamp.replace('Z', suffix);
}

/** ISO 8601 in UTC with milliseconds, as rows carry it. */
export const presentTime = (time: Date): string => time.toISOString();
export const presentOptionalTime = (time: Date | null): string | null => time?.toISOString() ?? null;
