import type { Client } from 'pg';
import { startApplication, type TestApplication } from '../support/application';
import type { BuiltUser } from '../support/builders';
import { statementsDuring } from '../support/statement-trace';
import { growingSteps, type Limits } from './query-plan';

/** Minutes, for machines that do much else meanwhile; alone it takes some seconds. */
const LIMIT_MS = 180_000;

const PROJECTS = 2_000;
const FIRST = 1_000_001;
/** Labels, milestones and issues of those projects; an issue has two labels. */
const OTHERS = 40_000;
/** Of the one project, and its group, that everything is asked of: far less than there is of others. */
const OWN = { labels: 1_000, milestones: 12_000, issues: 3_000 };

/** What the lists of that project may look at, whatever other projects have. */
const OWN_SIZE: Limits = { looked: 13_000, sorted: 13_000, walked: 13_000 };

const READS = /^\s*(?:SELECT|WITH)\b/i;

let app: TestApplication;
let member: BuiltUser;
let projectId: number;
let groupId: number;
let milestoneId: number;

beforeAll(async () => {
  app = await startApplication({ TIER: 'ultimate' });
  member = await app.build.user();
  const group = await app.build.group({ members: { developer: member } });
  const project = await app.build.project({ namespace: group });
  [projectId, groupId] = [project.id, group.id];
  milestoneId = await populate(app.database, { projectId, groupId, authorId: member.id });
}, LIMIT_MS);

afterAll(() => app.close());

interface Place {
  readonly projectId: number;
  readonly groupId: number;
  readonly authorId: number;
}

/** Answers the milestone of the place that its issues have. */
async function populate(database: Client, place: Place): Promise<number> {
  const own = `${place.projectId}::bigint`;
  const statements = [
    `INSERT INTO projects (id, namespace_id, creator_id, name, path, repository_storage, disk_path)
     SELECT ${FIRST} - 1 + i, ${place.groupId}, 1, 'p' || i, 'p' || i, 'default', 'd' || i
     FROM generate_series(1, ${PROJECTS}) AS i`,
    `INSERT INTO labels (project_id, title, color)
     SELECT ${FIRST} + i % ${PROJECTS}, 'label ' || i, '#fff' FROM generate_series(1, ${OTHERS}) AS i
     UNION ALL SELECT ${own}, 'own ' || i, '#fff' FROM generate_series(1, ${OWN.labels}) AS i`,
    `INSERT INTO labels (group_id, title, color)
     SELECT ${place.groupId}, 'lent ' || i, '#fff' FROM generate_series(1, ${OWN.labels}) AS i`,
    `INSERT INTO milestones (iid, project_id, title)
     SELECT i, ${FIRST} + i % ${PROJECTS}, 'milestone ' || i FROM generate_series(1, ${OTHERS}) AS i
     UNION ALL SELECT i, ${own}, 'own ' || i FROM generate_series(1, ${OWN.milestones}) AS i`,
    `INSERT INTO milestones (iid, group_id, title)
     SELECT i, ${place.groupId}, 'lent ' || i FROM generate_series(1, ${OWN.labels}) AS i`,
    'DROP INDEX issues_title, issues_description',
    `INSERT INTO issues (iid, project_id, author_id, title, milestone_id)
     SELECT i, ${FIRST} + i % ${PROJECTS}, ${place.authorId}, 'issue ' || i, NULL::bigint
     FROM generate_series(1, ${OTHERS}) AS i
     UNION ALL SELECT i, ${own}, ${place.authorId}, 'own ' || i, (SELECT max(id) FROM milestones WHERE project_id = ${own})
     FROM generate_series(1, ${OWN.issues}) AS i`,
    `INSERT INTO label_links (label_id, issue_id)
     SELECT (SELECT min(id) FROM labels) + id * 2 % ${OTHERS}, id FROM issues
     UNION ALL SELECT (SELECT min(id) FROM labels) + id * 2 % ${OTHERS} + 1, id FROM issues`,
    `INSERT INTO label_events (label_id, issue_id, action) SELECT label_id, issue_id, 'add' FROM label_links`,
    `INSERT INTO label_priorities (label_id, project_id, priority)
     SELECT id, project_id, id % 10 FROM labels WHERE project_id IS NOT NULL`,
  ];
  await database.query('SET session_replication_role = replica');
  for (const statement of statements) await database.query(statement);
  await database.query('RESET session_replication_role');
  await database.query(
    'VACUUM ANALYZE projects, labels, milestones, issues, label_links, label_events, label_priorities',
  );
  const { rows } = await database.query<{ id: string }>(
    'SELECT max(id) AS id FROM milestones WHERE project_id = $1',
    [place.projectId],
  );
  return Number(rows[0]?.id);
}

/** All that grows with what other projects have, while the list answers. */
async function problemsOf(path: string): Promise<string[]> {
  let answer = { status: 0, body: { length: 0 } };
  const sent = await statementsDuring(async () => {
    answer = await app.as(member).get(path);
  });
  const found =
    answer.status === 200 && answer.body.length !== 0 ? [] : [`${path}: answers ${answer.status}`];
  for (const statement of sent.filter(({ text }) => READS.test(text)))
    for (const problem of await growingSteps(app.database, statement, OWN_SIZE))
      found.push(`${path}: ${problem}\n    ${statement.text.replace(/\s+/g, ' ').slice(0, 300)}`);
  return found;
}

describe('labels and milestones among 40,000 of other projects', () => {
  it(
    'answer from indexes',
    async () => {
      const [project, group] = [`/projects/${projectId}`, `/groups/${groupId}`];
      const { body: issues } = await app.as(member).get(`${project}/milestones/${milestoneId}/issues`);
      const paths = [
        `${project}/labels`,
        `${project}/labels?with_counts=true`,
        `${project}/labels?search=wn+99`,
        `${project}/labels/own%207`,
        `${group}/labels`,
        `${project}/milestones`,
        `${project}/milestones?page=300&state=active`,
        `${project}/milestones?iids[]=3&iids[]=4`,
        `${project}/milestones?title=own%207`,
        `${project}/milestones?search=wn+99`,
        `${group}/milestones`,
        `${project}/milestones/${milestoneId}/issues`,
        `${project}/issues/${issues[0].iid}/resource_label_events`,
      ];
      const problems: string[] = [];
      for (const path of paths) problems.push(...(await problemsOf(path)));
      expect(problems).toEqual([]);
    },
    LIMIT_MS,
  );
});
