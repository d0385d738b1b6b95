import { randomNumbers } from '#libs/testing';
import { RunnersTokens } from '../../src/identity/identity.api';
import { startApplication, type TestApplication } from '../support/application';
import { RunnerClient } from '../support/runner-client';
import { inconsistencies, settled } from './support/consistency';
import { anything, type Outcome } from './support/random-operations';
import { BusyPlace } from './support/busy-place';

const WORKERS = 10;
/** Whichever comes first: machines differ. */
const OPERATIONS = Number(process.env['HAMMER_OPERATIONS'] ?? 400);
const WORKING_MS = Number(process.env['HAMMER_MS'] ?? 10_000);
const SETTLING_MS = 60_000;
const LISTS = ['issues', 'merge_requests', 'labels', 'milestones', 'pipelines', 'jobs', 'members'];

/** Printed, so that a failing run can be begun with the same numbers again; who comes first, nobody can repeat. */
const SEED = Number(process.env['HAMMER_SEED'] ?? Date.now() % 1_000_000);

/** "12 × 200, 3 × 404" */
function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .map(([word, count]) => `${word} × ${count}`)
    .sort()
    .join(', ');
}

describe('anything done to everything by many at once, at two nodes', () => {
  let nodes: readonly [TestApplication, TestApplication];
  let things: BusyPlace;
  const outcomes: Outcome[] = [];

  beforeAll(
    async () => {
      const first = await startApplication();
      nodes = [first, await first.startAnother()];
      things = await BusyPlace.build(first);
      const token = first.nest.get(RunnersTokens).for('group', things.groups[0]?.id ?? 0);
      const runner = await RunnerClient.register(first.api, { token });
      const stop = Date.now() + WORKING_MS;
      let made = 0;
      const work = async (number: number): Promise<void> => {
        const random = randomNumbers(SEED + number);
        const fresh = (word: string): string => `${word}-${(made += 1)}`;
        const worker = { app: nodes[number % 2 === 0 ? 0 : 1], things, runner, random, fresh };
        while (Date.now() < stop && outcomes.length < OPERATIONS) {
          const outcome = await anything(worker);
          if (outcome) outcomes.push(outcome);
        }
      };
      await Promise.all(Array.from({ length: WORKERS }, (_, number) => work(number)));
      await settled(first.database, SETTLING_MS);
      console.log(`seed ${SEED}: ${tally(outcomes.map(({ status }) => String(status)))}`);
      if (process.env['TEST_LOG'])
        console.log(tally(outcomes.map(({ name, status }) => `${name} ${status}`)));
    },
    WORKING_MS + SETTLING_MS + 30_000,
  );
  afterAll(() => nodes[0].close());

  it('was done in earnest: most things were allowed, and all kinds of them', () => {
    const done = outcomes.filter(({ status }) => status < 300);
    expect(done.length).toBeGreaterThan(outcomes.length / 3);
    expect(new Set(done.map(({ name }) => name)).size).toBeGreaterThan(10);
  });

  it('is answered without a failure of the server', () => {
    const failures = outcomes.filter(
      ({ status, retryAfter }) => status >= 500 && (status !== 503 || !retryAfter),
    );
    expect(failures).toEqual([]);
  });

  it('leaves nothing behind that refers to nothing, is counted wrongly, or never ends', async () => {
    expect(await inconsistencies(nodes[0].database)).toEqual([]);
  });

  it('leaves lists that everybody can read', async () => {
    const { database } = nodes[0];
    const idsOf = async (table: 'projects' | 'namespaces'): Promise<number[]> => {
      const condition = table === 'projects' ? 'true' : `kind = 'group'`;
      const { rows } = await database.query(`SELECT id FROM ${table} WHERE ${condition} ORDER BY id LIMIT 5`);
      return rows.map(({ id }) => Number(id));
    };
    expect(await idsOf('projects')).not.toEqual([]);
    for (const node of nodes) {
      const api = node.as(things.root);
      const paths = [
        ...(await idsOf('projects')).flatMap((id) => LISTS.map((list) => `/projects/${id}/${list}`)),
        ...(await idsOf('namespaces')).flatMap((id) =>
          ['epics', 'issues', 'labels'].map((list) => `/groups/${id}/${list}`),
        ),
        '/issues?scope=all',
        '/merge_requests?scope=all',
      ];
      for (const path of paths) expect([path, (await api.get(path)).status]).toEqual([path, 200]);
    }
  });
});
