import { LONG_LISTS, pageOf, PEOPLE, SHORT_LISTS, type Viewer } from '../../bench/project-pages';
import { populateProjects } from '../../bench/populated-projects';
import { startApplication, type TestApplication } from '../support/application';
import { statementsDuring, type SentStatement } from '../support/statement-trace';
import { DEEP_PAGE, growingSteps, type Limits } from './query-plan';

/** Minutes, for machines that do much else meanwhile. */
const LIMIT_MS = 300_000;

/**
 * Of lists whose rows are a quarter of all projects: they are sorted, or found among all others in an index that holds
 * what is asked of them.
 */
const FIRST_PAGE: Limits = { looked: 32_000, sorted: 26_000, walked: 101_000 };

const READS = /^\s*(?:SELECT|WITH)\b/i;

let app: TestApplication;

beforeAll(async () => {
  app = await startApplication();
  await populateProjects(app.database);
}, LIMIT_MS);

afterAll(() => app.close());

const explained = new Set<string>();

function isNew(statement: SentStatement): boolean {
  const key = JSON.stringify(statement);
  if (explained.has(key)) return false;
  explained.add(key);
  return true;
}

interface Answer {
  readonly status: number;
  readonly length: number;
  readonly problems: readonly string[];
}

async function ask(viewer: Viewer, path: string, limits: Limits): Promise<Answer> {
  const person = PEOPLE[viewer];
  const api = person === null ? app.api : app.as(person);
  let answer = { status: 0, body: { length: 0 } };
  const sent = await statementsDuring(async () => {
    answer = await api.get(path);
  });
  const problems: string[] = [];
  for (const statement of sent.filter(({ text }) => READS.test(text)).filter(isNew))
    for (const problem of await growingSteps(app.database, statement, limits))
      problems.push(`${path}: ${problem}\n    ${statement.text.replace(/\s+/g, ' ').slice(0, 600)}`);
  return { status: answer.status, length: answer.body.length, problems };
}

/** All that is wrong with a page; the same statements are explained once. */
async function problemsOf(viewer: Viewer, path: string, limits: Limits, hasRows: boolean): Promise<string[]> {
  const { status, length, problems } = await ask(viewer, path, limits);
  const isRight = status === 200 && length > 0 === hasRows;
  return [...(isRight ? [] : [`${path}: answers ${status} with ${length} rows`]), ...problems];
}

const VIEWERS: readonly Viewer[] = ['admin', 'usual', 'busy', 'owner', 'starrer', 'anonymous'];

describe('lists of projects, among 100,000 projects and 1,000,000 memberships', () => {
  it.each(VIEWERS)(
    'of more than a thousand pages answer %s from indexes, at their beginning and on page 1,000',
    async (viewer) => {
      const problems: string[] = [];
      for (const list of LONG_LISTS[viewer] ?? []) {
        problems.push(...(await problemsOf(viewer, list, FIRST_PAGE, true)));
        problems.push(...(await problemsOf(viewer, pageOf(list, 1_000), DEEP_PAGE, true)));
      }
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );

  it.each(VIEWERS)(
    'that end sooner answer %s from indexes, beyond their end too',
    async (viewer) => {
      const problems: string[] = [];
      for (const list of SHORT_LISTS[viewer] ?? []) {
        const { status, problems: first } = await ask(viewer, list, FIRST_PAGE);
        problems.push(...first, ...(status === 200 ? [] : [`${list}: answers ${status}`]));
        problems.push(...(await problemsOf(viewer, pageOf(list, 1_000), FIRST_PAGE, false)));
      }
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );
});
