import { FIRST_PAGES, type ViewerName } from '../../bench/first-pages';
import { PLACES, populate, VIEWERS } from '../../bench/populated-database';
import { startApplication, type TestApplication } from '../support/application';
import { statementsDuring, type SentStatement } from '../support/statement-trace';
import { growingSteps } from './query-plan';

/** Minutes, for machines that do much else meanwhile; alone it takes half of one. */
const LIMIT_MS = 180_000;

/** What EXPLAIN takes: no beginnings and ends of transactions. */
const READS = /^\s*(?:SELECT|WITH)\b/i;

let app: TestApplication;

beforeAll(async () => {
  app = await startApplication();
  await populate(app.database);
}, LIMIT_MS);

afterAll(() => app.close());

/** Many lists share statements, such as the one that says who calls. */
const explained = new Set<string>();

function isNew(statement: SentStatement): boolean {
  const key = JSON.stringify(statement);
  if (explained.has(key)) return false;
  explained.add(key);
  return true;
}

async function problemsOf(viewer: ViewerName, path: string): Promise<string[]> {
  const api = viewer === 'anonymous' ? app.api : app.as(VIEWERS[viewer]);
  let status = 0;
  const sent = await statementsDuring(async () => {
    ({ status } = await api.get(path));
  });
  const found = status === 200 ? [] : [`answers ${status}`];
  for (const statement of sent.filter(({ text }) => READS.test(text)).filter(isNew)) {
    for (const problem of await growingSteps(app.database, statement))
      found.push(`${problem}\n    ${statement.text.replace(/\s+/g, ' ').slice(0, 300)}`);
  }
  return found.map((problem) => `${path}: ${problem}`);
}

describe('first pages over 100,000 users, 20,000 groups and 1,000,000 memberships', () => {
  it.each(FIRST_PAGES)(
    'of $kind answer $viewer from indexes',
    async ({ viewer, paths }) => {
      const problems: string[] = [];
      for (const path of paths) problems.push(...(await problemsOf(viewer, path)));
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('totals', () => {
  it('are not counted above 10,000 rows, and are told below', async () => {
    const api = app.as(VIEWERS.admin);
    for (const path of ['/users', '/groups', '/projects', `/groups/${PLACES.largeGroup}/members/all`]) {
      const { headers } = await api.get(path);
      expect([path, headers['x-total'], headers['x-next-page']]).toEqual([path, undefined, '2']);
    }
    expect((await api.get('/users?blocked=true')).headers['x-total']).toBe('1000');
    const members = await api.get(`/groups/${PLACES.usualGroup}/members`);
    expect(members.headers['x-total']).toBe('30');
  });
});

describe('the check of plans', () => {
  it('finds a statement that reads a whole table, and one that sorts it', async () => {
    const reading = { text: `SELECT id FROM users WHERE bio = 'x' LIMIT 20`, values: [] };
    expect(await growingSteps(app.database, reading)).toEqual(['Seq Scan of users: looks at 100000 rows']);
    const sorting = { text: 'SELECT id FROM users ORDER BY md5(name) LIMIT $1', values: [20] };
    expect(await growingSteps(app.database, sorting)).toContain('Sort: sorts 100000 rows');
  });
});
