import { randomBytes } from 'node:crypto';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../support/builders';
import type { TestApplication } from '../support/application';
import { issue } from '../support/planning-builders';

/** Values of path parameters by name; those of notes stand by the part of the path before them. */
export type PlantedThings = Readonly<Record<string, string>>;

type Insert = (text: string, ...values: unknown[]) => Promise<string>;

const inserting =
  ({ database }: TestApplication): Insert =>
  async (text, ...values) => {
    const { rows } = await database.query<{ id: string }>(`${text} RETURNING id`, values);
    return String(rows[0]?.id);
  };

const note = (insert: Insert, column: string, id: unknown, author: BuiltUser): Promise<string> =>
  insert(
    `INSERT INTO notes (${column}, author_id, body, discussion_id, type)
     VALUES ($1, $2, 'A note', $3, 'DiscussionNote')`,
    id,
    author.id,
    randomBytes(20).toString('hex'),
  );

/** One of everything that a project can hold, so that rows about them have something to answer. */
export async function plantInProject(
  app: TestApplication,
  project: BuiltProject,
  author: BuiltUser,
): Promise<PlantedThings> {
  const insert = inserting(app);
  const { id, tip } = project;
  const planted = await issue(app, project, { author });
  const milestone = await insert(
    `INSERT INTO milestones (iid, project_id, title) VALUES (1, $1, 'First')`,
    id,
  );
  const label = await insert(
    `INSERT INTO labels (project_id, title, color) VALUES ($1, 'master', '#428BCA')`,
    id,
  );
  const snippet = await insert(
    `INSERT INTO snippets (project_id, author_id, title, content, visibility) VALUES ($1, $2, 'S', 'x', 'public')`,
    id,
    author.id,
  );
  const mergeRequest = await insert(
    `INSERT INTO merge_requests
       (iid, project_id, source_project_id, source_branch, target_branch, author_id, title, head_sha, base_sha, start_sha)
     VALUES (1, $1, $1, 'v1', 'master', $2, 'M', $3, $3, $3)`,
    id,
    author.id,
    tip,
  );
  const pipeline = await insert(
    `INSERT INTO pipelines (project_id, ref, sha, source, user_id, iid) VALUES ($1, 'master', $2, 'push', $3, 1)`,
    id,
    tip,
    author.id,
  );
  const job = await insert(
    `INSERT INTO commit_statuses (project_id, pipeline_id, sha, ref, name, status, kind)
     VALUES ($1, $2, $3, 'master', 'job', 'manual', 'job')`,
    id,
    pipeline,
    tip,
  );
  await insert(
    `INSERT INTO jobs (id, project_id, pipeline_id, definition, timeout_seconds) VALUES ($1, $2, $3, $4, 60)`,
    job,
    id,
    pipeline,
    '{}',
  );
  return {
    issue_iid: String(planted.iid),
    merge_request_iid: '1',
    milestone_id: milestone,
    label_id: label,
    snippet_id: snippet,
    pipeline_id: pipeline,
    job_id: job,
    'issues note_id': await note(insert, 'issue_id', planted.id, author),
    'merge_requests note_id': await note(insert, 'merge_request_id', mergeRequest, author),
    'snippets note_id': await note(insert, 'snippet_id', snippet, author),
  };
}

/** The same for a group. */
export async function plantInGroup(
  app: TestApplication,
  { id }: BuiltGroup,
  author: BuiltUser,
): Promise<PlantedThings> {
  const insert = inserting(app);
  const epic = await insert(
    `INSERT INTO epics (iid, group_id, author_id, title) VALUES (1, $1, $2, 'E')`,
    id,
    author.id,
  );
  return {
    epic_iid: '1',
    epic_id: epic,
    milestone_id: await insert(`INSERT INTO milestones (iid, group_id, title) VALUES (1, $1, 'First')`, id),
    label_id: await insert(
      `INSERT INTO labels (group_id, title, color) VALUES ($1, 'master', '#428BCA')`,
      id,
    ),
    'epics note_id': await note(insert, 'epic_id', epic, author),
  };
}
