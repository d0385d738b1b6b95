/**
 * How long pages of notes take on an issue with 1,000,000 of them: `npm run bench:notes`.
 *
 * One request after another over HTTP, with a warm cache, against a single process; before each page the same number of
 * bare `SELECT … ORDER BY id LIMIT 20`, as a measure of the machine at that moment. Prints the median of each page, against the
 * first page and against the bare statement; REQUESTS changes how many requests each page gets. Ends with status 1 where a
 * page that must take as long as the first one takes more than LIMIT times as long.
 */
import type { Client } from 'pg';
import { median, withService } from './measured-service';
import { NOTES, populateNotes, READER_TOKEN, WRITTEN_AT } from './populated-notes';

const REQUESTS = Number(process.env['REQUESTS'] ?? 50);
const WARM_UP = 5;
const LIMIT = 3;
const BARE = 'SELECT * FROM notes ORDER BY id LIMIT 20';

const LIST = '/projects/1/issues/1/notes';

/** Where the keyset walk is after so many notes: as the links of the service write it. */
const cursorAt = (note: number): string => `${WRITTEN_AT + note}_0_${note}`;
const keyset = (parameters: string): string => `${LIST}?pagination=keyset&${parameters}`;

const PAGES: readonly { readonly name: string; readonly path: string }[] = [
  { name: 'page 1', path: LIST },
  { name: 'page 2', path: `${LIST}?page=2` },
  { name: 'page 100', path: `${LIST}?page=100` },
  { name: 'page 1, oldest first', path: `${LIST}?sort=asc` },
  { name: 'page 1, by change', path: `${LIST}?order_by=updated_at` },
  { name: 'keyset: first page', path: keyset('order_by=created_at') },
  { name: 'keyset: in the middle', path: keyset(`cursor=${cursorAt(NOTES / 2)}`) },
  { name: 'keyset: the deepest page', path: keyset(`cursor=${cursorAt(21)}`) },
  { name: 'keyset: the deepest page, oldest first', path: keyset(`sort=asc&cursor=${cursorAt(NOTES - 21)}`) },
  { name: 'keyset: the deepest page, by change', path: keyset(`order_by=updated_at&cursor=${cursorAt(21)}`) },
  { name: 'discussions, page 1', path: '/projects/1/issues/1/discussions' },
];

/** Asks for a page; it must be full, or it would measure nothing. */
async function ask(url: string): Promise<void> {
  const answer = await fetch(url, { headers: { 'private-token': READER_TOKEN } });
  const notes: unknown = await answer.json();
  if (!Array.isArray(notes) || notes.length !== 20)
    throw new Error(`${url}: ${answer.status} without a full page`);
}

/** Prints every page; answers whether all took about as long as the first. */
async function measureAll(url: string, bare: Client): Promise<boolean> {
  let first: number | undefined;
  let isFlat = true;
  for (const page of PAGES) {
    const asked = (): Promise<void> => ask(`${url}/api/v4${page.path}`);
    const floor = await median(() => bare.query({ name: 'bare', text: BARE }), REQUESTS);
    await median(asked, WARM_UP);
    const taken = await median(asked, REQUESTS);
    first ??= taken;
    isFlat &&= taken <= first * LIMIT;
    const ratios = `${(taken / first).toFixed(2).padStart(6)} × page 1  ${(taken / floor).toFixed(0).padStart(4)} × bare`;
    console.log(`${taken.toFixed(1).padStart(8)} ms ${ratios}  ${page.name}`);
  }
  return isFlat;
}

void withService(populateNotes, async ({ url, client }) => {
  const isFlat = await measureAll(url, client);
  console.log(`${NOTES} notes: ${isFlat ? 'no page' : 'SOME PAGE'} takes more than ${LIMIT} × the first`);
  process.exitCode = isFlat ? 0 : 1;
});
