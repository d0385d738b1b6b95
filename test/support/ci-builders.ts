import { Database } from '#libs/database';
import { PipelineProcessing } from '../../src/ci/pipelines/pipeline-processing';
import type { TestApplication } from './application';
import type { BuiltProject, BuiltUser } from './builders';

/** A pipeline as it stands in the database; what is left out has a usual value. */
export async function insertPipeline(
  app: TestApplication,
  project: BuiltProject,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const all = { project_id: project.id, sha: project.tip, ref: 'master', source: 'api', ...columns };
  const names = Object.keys(all);
  const { rows } = await app.database.query<{ id: number }>(
    `INSERT INTO pipelines (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})
     RETURNING id::int`,
    Object.values(all),
  );
  return rows[0]?.id ?? 0;
}

/** Latest status by name, of the jobs of a pipeline. */
export async function jobStatuses(app: TestApplication, pipelineId: number): Promise<Record<string, string>> {
  const { rows } = await app.database.query<{ name: string; status: string }>(
    `SELECT name, status FROM commit_statuses WHERE pipeline_id = $1 AND kind = 'job' AND NOT retried ORDER BY id`,
    [pipelineId],
  );
  return Object.fromEntries(rows.map(({ name, status }) => [name, status]));
}

/** Has a job come to a status as if its runner had said so, and whatever follows from that. */
export async function moveJob(
  app: TestApplication,
  pipelineId: number,
  name: string,
  status: 'running' | 'success' | 'failed' | 'canceled',
): Promise<void> {
  const database = app.nest.get(Database);
  const processing = app.nest.get(PipelineProcessing);
  await database.transaction(async () => {
    await processing.lock(pipelineId);
    await database.manager.query(
      `UPDATE commit_statuses SET status = $3, started_at = coalesce(started_at, now()),
         finished_at = CASE WHEN $3 = 'running' THEN NULL ELSE now() END
       WHERE pipeline_id = $1 AND name = $2 AND kind = 'job' AND NOT retried`,
      [pipelineId, name, status],
    );
    await database.manager.query(
      `DELETE FROM job_queue WHERE job_id IN (
         SELECT id FROM commit_statuses WHERE pipeline_id = $1 AND name = $2)`,
      [pipelineId, name],
    );
    await processing.advance(pipelineId);
  });
}

/** Commits files on a branch through the API; answers the new commit's hash. */
export async function commitFiles(
  app: TestApplication,
  { project, user, branch }: { project: BuiltProject; user: BuiltUser; branch: string },
  files: Readonly<Record<string, string>>,
  message = 'Change',
): Promise<string> {
  const actions = Object.entries(files).map(([path, content]) => ({
    action: 'create',
    file_path: path,
    content,
  }));
  const { body } = await app
    .as(user)
    .post(`/projects/${project.id}/repository/commits`, { branch, commit_message: message, actions })
    .expect(201);
  return body.id;
}
