/**
 * How long pages of lists of projects take over 100,000 projects and 1,000,000 memberships: `npm run bench:projects`.
 *
 * One request after another over HTTP, with a warm cache, against a single process, pages 1 and 1,000 of each list that
 * `bench/project-pages.ts` names; next to each the same page of bare rows by primary key, straight from the database.
 * Prints the fastest and the median time and the ratio of the fastest ones (which a busy machine disturbs least).
 * REQUESTS changes how many requests each page gets, ONLY measures lists whose address holds the text.
 */
import type { Client } from 'pg';
import { withService } from './measured-service';
import { LONG_LISTS, pageOf, PEOPLE, SHORT_LISTS } from './project-pages';
import { populateProjects } from './populated-projects';

const REQUESTS = Number(process.env['REQUESTS'] ?? 10);
const ONLY = process.env['ONLY'] ?? '';
const WARM_UP = 2;
const PAGES = [1, 1_000];
const PER_PAGE = 20;
const BARE = 'SELECT * FROM projects ORDER BY id LIMIT $1 OFFSET $2';

interface Measured {
  readonly fastest: number;
  readonly median: number;
}

async function measure(work: () => Promise<unknown>): Promise<Measured> {
  for (let turn = 0; turn < WARM_UP; turn += 1) await work();
  const taken: number[] = [];
  for (let turn = 0; turn < REQUESTS; turn += 1) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  taken.sort((a, b) => a - b);
  return { fastest: taken[0] ?? Number.NaN, median: taken[Math.floor(taken.length / 2)] ?? Number.NaN };
}

const milliseconds = (time: number): string => `${time.toFixed(1).padStart(6)} ms`;

async function measurePage(url: string, bare: Client, token: string | null, list: string, page: number) {
  const headers: Record<string, string> = token === null ? {} : { 'private-token': token };
  const floor = await measure(() =>
    bare.query({ name: 'bare', text: BARE, values: [PER_PAGE, (page - 1) * PER_PAGE] }),
  );
  const taken = await measure(async () => {
    const answer = await fetch(`${url}/api/v4${pageOf(list, page)}`, { headers });
    if (!answer.ok) throw new Error(`${list}: ${answer.status}`);
    await answer.arrayBuffer();
  });
  const ratio = (taken.fastest / floor.fastest).toFixed(1).padStart(6);
  return `${milliseconds(taken.fastest)} (median ${milliseconds(taken.median)}), ${ratio} x bare${milliseconds(floor.fastest)}`;
}

async function measureAll(url: string, bare: Client): Promise<void> {
  for (const [viewer, person] of Object.entries(PEOPLE)) {
    for (const lists of [LONG_LISTS, SHORT_LISTS]) {
      const found = Object.entries(lists).find(([name]) => name === viewer)?.[1] ?? [];
      for (const list of found.filter((each) => each.includes(ONLY))) {
        for (const page of PAGES) {
          const figures = await measurePage(url, bare, person?.token ?? null, list, page);
          console.log(`${viewer.padEnd(9)} page ${String(page).padStart(4)}  ${figures}  ${list}`);
        }
      }
    }
  }
}

void withService(populateProjects, ({ url, client }) => measureAll(url, client));
