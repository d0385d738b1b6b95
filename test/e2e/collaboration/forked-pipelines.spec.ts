import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { until } from '#libs/testing';
import { RunnersTokens } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { moveJob } from '../../support/ci-builders';
import { ForkScene, type ForkedMergeRequest } from '../../support/fork-scene';
import { git } from '../../support/git-client';
import { RunnerClient } from '../../support/runner-client';

const app = useApplication();

const as = (user: BuiltUser) => app.current.as(user);
const shown = async (user: BuiltUser, { url }: ForkedMergeRequest) =>
  (await as(user).get(url).expect(200)).body;
const listed = async (user: BuiltUser, { url }: ForkedMergeRequest) =>
  (await as(user).get(`${url}/pipelines`).expect(200)).body;

const CONFIGURED = {
  '.gitlab-ci.yml':
    'change: { script: x, only: [merge_requests], environment: { name: review/$CI_COMMIT_REF_NAME } }\n' +
    'branch: { script: x }\n',
};
const scene = (): Promise<ForkScene> => ForkScene.set(app.current);

/** Its branch holds the configuration; nobody was told of the branch by a push. */
const proposed = (at: ForkScene, params: object = {}): Promise<ForkedMergeRequest> =>
  at.propose(params, CONFIGURED);

interface Row {
  readonly id: number;
  readonly projectId: number;
  readonly userId: number;
  readonly ref: string;
  readonly source: string;
  readonly mergeRequestId: number | null;
  readonly protected: boolean;
}

const pipelinesOf = async ({ id }: BuiltProject): Promise<Row[]> =>
  (
    await app.current.database.query<Row>(
      `SELECT id::integer, project_id::integer AS "projectId", user_id::integer AS "userId", ref, source,
         merge_request_id::integer AS "mergeRequestId", protected
       FROM pipelines WHERE project_id = $1 ORDER BY id`,
      [id],
    )
  ).rows;

const runnerOf = ({ id }: BuiltProject): Promise<RunnerClient> =>
  RunnerClient.register(app.current.api, { token: app.current.nest.get(RunnersTokens).for('project', id) });

describe('GET /projects/:id/merge_requests/:merge_request_iid/pipelines, of a fork', () => {
  it('has pipelines of its own in the fork, on its branch', async () => {
    const at = await scene();
    // The fork has a merge request of the same number.
    const { branch } = await at.branch(undefined, CONFIGURED);
    await as(at.author)
      .post(`/projects/${at.fork.id}/merge_requests`, {
        source_branch: branch,
        target_branch: 'master',
        title: 'Within',
      })
      .expect(201);
    const proposal = await proposed(at);
    await until(async () => (await pipelinesOf(at.fork)).length === 2);
    const [, made] = await pipelinesOf(at.fork);
    expect(made).toMatchObject({
      userId: at.author.id,
      ref: proposal.branch,
      source: 'merge_request_event',
      mergeRequestId: proposal.id,
      protected: false,
    });
    expect(await pipelinesOf(at.target)).toEqual([]);
    const summary = { id: made?.id, sha: proposal.head, ref: proposal.branch };
    for (const user of [at.author, at.maintainer]) {
      expect(await listed(user, proposal)).toMatchObject([summary]);
      await until(async () => (await shown(user, proposal)).head_pipeline?.id === made?.id);
    }
    await at.set(at.fork, { visibility: 'private' });
    expect(await listed(at.maintainer, proposal)).toEqual([]);
    expect(await shown(at.maintainer, proposal)).toMatchObject({ head_pipeline: null, pipeline: null });
  });

  it('gives its jobs to runners of the fork alone, who find its commit there and know where it goes', async () => {
    const at = await scene();
    const proposal = await proposed(at);
    await until(async () => (await pipelinesOf(at.fork)).length === 1);
    const theirs = await runnerOf(at.target);
    expect(await theirs.poll()).toBeNull();
    const job = await (await runnerOf(at.fork)).take();
    const variables = new Map(job.variables.map(({ key, value }) => [key, value]));
    const known = [
      'CI_PROJECT_ID',
      'CI_MERGE_REQUEST_IID',
      'CI_MERGE_REQUEST_PROJECT_ID',
      'CI_MERGE_REQUEST_PROJECT_PATH',
      'CI_MERGE_REQUEST_SOURCE_PROJECT_ID',
      'CI_COMMIT_REF_NAME',
      'CI_COMMIT_BRANCH',
      'CI_ENVIRONMENT_NAME',
      'GITLAB_USER_ID',
    ].map((key) => variables.get(key));
    expect(known).toEqual([
      String(at.fork.id),
      String(proposal.iid),
      String(at.target.id),
      at.target.fullPath,
      String(at.fork.id),
      proposal.branch,
      undefined,
      `review/${proposal.branch}`,
      String(at.author.id),
    ]);
    expect(job.git_info).toMatchObject({ ref: proposal.branch, sha: proposal.head });
    const work = await fs.mkdtemp(path.join(os.tmpdir(), 'runner-'));
    const remote = job.git_info.repo_url.replace('service.test', new URL(app.current.url).host);
    await git('/', 'init', '-q', work);
    const refspecs: string[] = Reflect.get(job.git_info, 'refspecs');
    await git(work, 'fetch', '-q', '--depth', '1', remote, ...refspecs);
    expect((await git(work, 'rev-parse', `refs/remotes/origin/${proposal.branch}`)).trim()).toBe(
      proposal.head,
    );
    await fs.rm(work, { recursive: true, force: true });
  });

  it('counts for its own merge request, not for another of the same branch', async () => {
    const at = await scene();
    await as(at.maintainer)
      .post(`/projects/${at.target.id}/repository/branches`, { branch: 'other', ref: 'master' })
      .expect(201);
    const proposal = await proposed(at);
    await until(async () => (await shown(at.author, proposal)).head_pipeline !== null);
    const { body: second } = await as(at.author)
      .post(`/projects/${at.fork.id}/merge_requests`, {
        source_branch: proposal.branch,
        target_branch: 'other',
        target_project_id: at.target.id,
        title: 'Elsewhere',
      })
      .expect(201);
    await until(async () => (await pipelinesOf(at.fork)).length === 2);
    const url = `/projects/${at.target.id}/merge_requests/${second.iid}`;
    const [first, last] = await pipelinesOf(at.fork);
    await until(async () => (await as(at.author).get(url)).body.head_pipeline?.id === last?.id);
    expect((await as(at.author).get(`${url}/pipelines`)).body).toMatchObject([{ id: last?.id }]);
    expect(await listed(at.author, proposal)).toMatchObject([{ id: first?.id }]);
    expect((await shown(at.author, proposal)).head_pipeline.id).toBe(first?.id);
  });

  it('is merged once it has succeeded, where somebody wants that', async () => {
    const at = await scene();
    const proposal = await proposed(at);
    await until(async () => (await shown(at.author, proposal)).head_pipeline !== null);
    const { body } = await as(at.maintainer)
      .put(`${proposal.url}/merge`, { merge_when_pipeline_succeeds: true })
      .expect(200);
    expect(body).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    await moveJob(app.current, body.head_pipeline.id, 'change', 'success');
    await until(async () => (await shown(at.author, proposal)).state === 'merged');
    expect((await shown(at.author, proposal)).merged_by).toMatchObject({ id: at.maintainer.id });
  });

  it('is run for the author, not for whoever pushes to a lent branch, rebases it or opens it again', async () => {
    const at = await scene();
    const proposal = await proposed(at, { allow_collaboration: true });
    await until(async () => (await pipelinesOf(at.fork)).length === 1);
    expect((await at.commit(at.maintainer, proposal.branch))[0]).toBe(201);
    await until(async () => (await pipelinesOf(at.fork)).length === 2);
    // The people of the fork say what jobs do: they get at nothing that a maintainer of the target may see.
    await at.git.target.commit({ branch: 'master', files: { later: 'l' } });
    await as(at.maintainer).put(`${proposal.url}/rebase`).expect(202);
    await until(async () => (await pipelinesOf(at.fork)).length === 3);
    const asked = await as(at.maintainer).post(`${proposal.url}/pipelines`);
    expect(asked.status).toBe(400);
    await as(at.maintainer).put(proposal.url, { state_event: 'close' }).expect(200);
    await at.git.fork.commit({ branch: proposal.branch, files: { quiet: 'q' } });
    await as(at.maintainer).put(proposal.url, { state_event: 'reopen' }).expect(200);
    await until(async () => (await pipelinesOf(at.fork)).length === 4);
    const made = await pipelinesOf(at.fork);
    expect(made.map(({ source, userId }) => [source, userId])).toEqual(
      made.map(() => ['merge_request_event', at.author.id]),
    );
  });
});
