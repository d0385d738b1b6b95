/**
 * How long first pages take over 100,000 users, 20,000 nested groups and 1,000,000 memberships: `npm run bench:lists`.
 *
 * One request after another over HTTP, with a warm cache, against a single process; before each list the same number
 * of bare `SELECT … ORDER BY id LIMIT 20`, as a measure of the machine at that moment. Prints the best time, p50, p99 and the ratio
 * of the medians, for each kind the slowest last; REQUESTS changes how many requests each list gets, ONLY which kind is measured.
 * Ends with status 1 where a median is above the limit.
 */
import type { Client } from 'pg';
import { withService } from './measured-service';
import { FIRST_PAGES, type ViewerName } from './first-pages';
import { populate, VIEWERS } from './populated-database';

const REQUESTS = Number(process.env['REQUESTS'] ?? 20);
const ONLY = process.env['ONLY'];
const WARM_UP = 3;
const LIMIT_MS = 50;
const BARE = 'SELECT * FROM users ORDER BY id LIMIT 20';

interface Measured {
  readonly name: string;
  /** The fastest request: closest to what an idle machine would take. */
  readonly best: number;
  readonly p50: number;
  readonly p99: number;
  /** Median of the bare statement, measured next to the list. */
  readonly bare: number;
}

async function timed(work: () => Promise<unknown>, times: number): Promise<number[]> {
  const taken: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b);
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

async function measure(url: string, bare: Client, viewer: ViewerName, list: string): Promise<Measured> {
  const headers = viewer === 'anonymous' ? {} : { 'private-token': VIEWERS[viewer].token };
  const ask = async (): Promise<void> => {
    const answer = await fetch(`${url}/api/v4${list}`, { headers });
    if (!answer.ok) throw new Error(`${list}: ${answer.status}`);
    await answer.arrayBuffer();
  };
  const floor = await timed(() => bare.query({ name: 'bare', text: BARE }), REQUESTS);
  await timed(ask, WARM_UP);
  const taken = await timed(ask, REQUESTS);
  return {
    name: `${viewer}: ${list}`,
    best: quantile(taken, 0),
    p50: quantile(taken, 0.5),
    p99: quantile(taken, 0.99),
    bare: quantile(floor, 0.5),
  };
}

const line = ({ name, best, p50, p99, bare }: Measured): string =>
  `best ${best.toFixed(1).padStart(6)} ms  p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms  ` +
  `${(p50 / bare).toFixed(0).padStart(4)} × bare ${bare.toFixed(2)} ms  ${name}`;

/** Prints each kind of list as soon as it is measured, the slowest last. */
async function measureAll(url: string, bare: Client): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const { viewer, kind, paths } of FIRST_PAGES) {
    if (ONLY !== undefined && ONLY !== kind) continue;
    const measured: Measured[] = [];
    for (const list of paths) measured.push(await measure(url, bare, viewer, list));
    measured.sort((a, b) => a.p50 - b.p50);
    for (const each of measured) console.log(line(each));
    all.push(...measured);
  }
  return all;
}

void withService(populate, async ({ url, client }) => {
  const measured = await measureAll(url, client);
  const slow = measured.filter(({ p50 }) => p50 > LIMIT_MS);
  console.log(`${measured.length} lists, ${slow.length} with a median above ${LIMIT_MS} ms`);
  process.exitCode = slow.length > 0 ? 1 : 0;
});
