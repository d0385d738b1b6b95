import type { TestApplication } from './application';
import type { BuiltProject, BuiltUser } from './builders';

export interface JobSetup {
  readonly name?: string;
  readonly stage?: string;
  readonly stageIndex?: number;
  readonly status?: string;
  readonly tags?: readonly string[];
  readonly when?: string;
  readonly protected?: boolean;
  readonly allowFailure?: boolean;
  readonly timeoutSeconds?: number;
  readonly coverageRegex?: string;
  readonly definition?: Readonly<Record<string, unknown>>;
}

const DEFINITION = {
  beforeScript: [],
  script: ['true'],
  afterScript: [],
  image: null,
  services: [],
  variables: [],
  artifacts: null,
  cache: null,
  dependencies: null,
  environment: null,
  interruptible: false,
  retryMax: 0,
  retryWhen: ['always'],
  parallel: null,
  startInSeconds: null,
};

/** A pipeline on master, straight in the database. */
export async function buildPipeline(
  { database }: TestApplication,
  project: BuiltProject,
  user: Pick<BuiltUser, 'id'> | null,
  ref = 'master',
): Promise<number> {
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO pipelines (project_id, ref, sha, before_sha, tag, source, status, user_id)
     VALUES ($1, $2, $3, $4, false, 'push', 'pending', $5) RETURNING id`,
    [project.id, ref, project.tip, '0'.repeat(40), user?.id ?? null],
  );
  return Number(rows[0]?.id);
}

/** Jobs of a pipeline, straight in the database; pending ones stand in the queue. */
export async function buildJobs(
  { database }: TestApplication,
  pipelineId: number,
  setups: readonly JobSetup[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, setup] of setups.entries()) {
    const { name = `job ${index}`, stage = 'test', stageIndex = 0, status = 'pending' } = setup;
    const { rows } = await database.query<{ id: string }>(
      `WITH record AS (
         INSERT INTO commit_statuses (project_id, pipeline_id, sha, ref, kind, name, stage, stage_index, status,
           allow_failure, author_id, queued_at)
         SELECT project_id, id, sha, ref, 'job', $2, $3, $4, $5, $6, user_id, now() FROM pipelines WHERE id = $1
         RETURNING id, project_id),
       job AS (
         INSERT INTO jobs (id, project_id, pipeline_id, definition, tag_list, "when", protected, timeout_seconds,
           coverage_regex)
         SELECT id, project_id, $1, $7, $8, $9, $10, $11, $12 FROM record RETURNING id, project_id, tag_list, protected)
       SELECT id FROM job`,
      [
        pipelineId,
        name,
        stage,
        stageIndex,
        status,
        setup.allowFailure ?? false,
        JSON.stringify({ ...DEFINITION, ...setup.definition }),
        [...(setup.tags ?? [])],
        setup.when ?? 'on_success',
        setup.protected ?? false,
        setup.timeoutSeconds ?? 3_600,
        setup.coverageRegex ?? null,
      ],
    );
    ids.push(Number(rows[0]?.id));
  }
  await database.query(
    `INSERT INTO job_queue (job_id, project_id, tag_list, protected)
     SELECT job.id, job.project_id, job.tag_list, job.protected
     FROM jobs job JOIN commit_statuses record ON record.id = job.id
     WHERE job.id = ANY($1::bigint[]) AND record.status = 'pending'`,
    [ids],
  );
  return ids;
}
