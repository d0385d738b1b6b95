import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { mergeRequest, type BuiltMergeRequest } from '../../support/collaboration-builders';
import { issue } from '../../support/planning-builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication({ TIER: 'ultimate' });

let owner: BuiltUser;
let author: BuiltUser;
let guest: BuiltUser;
let stranger: BuiltUser;
let admin: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;
let open: BuiltProject;
let milestoneId: number;
let groupMilestoneId: number;
/** In the private project: first, second (a work in progress, closed); in the public one: third. */
let made: [first: BuiltMergeRequest, second: BuiltMergeRequest, third: BuiltMergeRequest];

beforeAll(async () => {
  const { build } = app.current;
  [owner, author, guest, stranger] = [
    await build.user(),
    await build.user(),
    await build.user(),
    await build.user(),
  ];
  admin = await build.user({ admin: true });
  group = await build.group({ visibility: 'public', members: { owner } });
  const inside = await build.group({ parent: group, visibility: 'public' });
  const members = { developer: author, guest };
  project = await build.project({ namespace: inside, members, files: { a: 'x\n' } });
  open = await build.project({ namespace: group, visibility: 'public', members, files: { a: 'x\n' } });
  milestoneId = (await as(owner).post(`/projects/${project.id}/milestones`, { title: 'v1' })).body.id;
  groupMilestoneId = (await as(owner).post(`/groups/${group.id}/milestones`, { title: 'all' })).body.id;
  for (let number = 1; number <= 3; number += 1) {
    await issue(app.current, project, { author: owner, title: `Issue ${number}` });
  }
  const first = await mergeRequest(app.current, {
    project,
    author,
    message: 'Fixes #2\n',
    params: {
      title: 'Alpha 100%',
      description: 'Closes #1. See #3.',
      labels: 'bug,urgent',
      milestone_id: milestoneId,
      assignee_id: owner.id,
    },
  });
  const second = await mergeRequest(app.current, {
    project,
    author: owner,
    params: { title: 'WIP: Beta', description: 'about alpha', labels: 'bug', milestone_id: groupMilestoneId },
  });
  await as(owner).put(`/projects/${project.id}/merge_requests/${second.iid}`, { state_event: 'close' });
  const third = await mergeRequest(app.current, {
    project: open,
    author,
    params: { title: 'Gamma', assignee_id: author.id, milestone_id: groupMilestoneId },
  });
  made = [first, second, third];
});

const as = (user: BuiltUser) => app.current.as(user);
const titles = async (user: BuiltUser | null, path: string): Promise<string[]> => {
  const { body } = await (user ? as(user) : app.current.api).get(path).expect(200);
  return body.map(({ title }: { title: string }) => title);
};
const ALPHA = 'Alpha 100%';
const BETA = 'WIP: Beta';
const GAMMA = 'Gamma';

describe('GET /projects/:id/merge_requests', () => {
  const found = (query: string) => titles(author, `/projects/${project.id}/merge_requests?${query}`);

  it('lists them newest first, each as the single record but for what takes a look', async () => {
    const { body } = await as(author).get(`/projects/${project.id}/merge_requests`).expect(200);
    expect(body.map(({ title }: { title: string }) => title)).toEqual([BETA, ALPHA]);
    const { body: single } = await as(author).get(`/projects/${project.id}/merge_requests/${made[0].iid}`);
    const { merge_status: _listed, ...listed } = body[1];
    expect(single).toMatchObject(listed);
    expect(body[1]).not.toHaveProperty('subscribed');
  });

  it.each([
    ['state=opened', [ALPHA]],
    ['state=closed', [BETA]],
    ['state=merged', []],
    ['state=locked', []],
    ['state=all&sort=asc', [ALPHA, BETA]],
    ['order_by=updated_at&sort=asc', [ALPHA, BETA]],
    ['labels=bug', [BETA, ALPHA]],
    ['labels=bug,urgent', [ALPHA]],
    ['labels=nope', []],
    ['labels=None', []],
    ['labels=Any', [BETA, ALPHA]],
    ['milestone=v1', [ALPHA]],
    ['milestone=None', []],
    ['milestone=Any', [BETA, ALPHA]],
    ['search=alpha', [BETA, ALPHA]],
    ['search=ALPHA&in=title', [ALPHA]],
    ['search=alpha&in=description', [BETA]],
    ['search=100%25', [ALPHA]],
    ['search=1_0%25', []],
    ['wip=yes', [BETA]],
    ['wip=no', [ALPHA]],
    ['iids[]=1', [ALPHA]],
    ['iids=1,2', [BETA, ALPHA]],
    ['iids[]=99999999999', []],
    ['source_branch=nope', []],
    ['target_branch=master', [BETA, ALPHA]],
    ['assignee_id=None', [BETA]],
    ['assignee_id=Any', [ALPHA]],
    ['created_after=2001-01-01T00:00:00Z', [BETA, ALPHA]],
    ['created_before=2001-01-01T00:00:00Z', []],
    ['updated_after=2999-01-01T00:00:00Z', []],
    ['updated_before=2999-01-01T00:00:00Z', [BETA, ALPHA]],
    ['scope=created_by_me', [ALPHA]],
    ['scope=assigned-to-me', []],
    ['scope=all', [BETA, ALPHA]],
    ['approver_ids=None', [BETA, ALPHA]],
    ['approver_ids[]=1', []],
    ['my_reaction_emoji=None', [BETA, ALPHA]],
    ['my_reaction_emoji=Any', []],
    ['not[labels]=urgent', [BETA]],
  ])('is narrowed by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('is narrowed to people and branches', async () => {
    expect(await found(`author_id=${owner.id}`)).toEqual([BETA]);
    expect(await found(`author_username=${author.username.toUpperCase()}`)).toEqual([ALPHA]);
    expect(await found(`assignee_id=${owner.id}`)).toEqual([ALPHA]);
    expect(await found(`source_branch=${made[0].branch}`)).toEqual([ALPHA]);
  });

  it('shows little where little is wanted', async () => {
    const { body } = await as(author).get(`/projects/${project.id}/merge_requests?view=simple&iids[]=1`);
    expect(Object.keys(body[0])).toEqual([
      'id',
      'iid',
      'project_id',
      'title',
      'description',
      'state',
      'created_at',
      'updated_at',
      'web_url',
    ]);
  });

  it('comes in pages', async () => {
    const { headers, body } = await as(author).get(
      `/projects/${project.id}/merge_requests?per_page=1&page=2`,
    );
    expect([body.length, headers['x-total'], headers['x-prev-page'], headers['x-next-page']]).toEqual([
      1,
      '2',
      '1',
      '',
    ]);
    const head = await as(author).head(`/projects/${project.id}/merge_requests`).expect(200);
    expect(head.headers['x-total']).toBe('2');
  });

  it('asks the database as often for many as for one', async () => {
    const asked = async (query: string): Promise<number> => {
      const path = `/projects/${project.id}/merge_requests${query}`;
      return (await statementsDuring(() => as(author).get(path).expect(200))).length;
    };
    expect(await asked('')).toBe(await asked('?iids[]=1'));
  });

  it('refuses what it cannot read', async () => {
    for (const query of ['state=open', 'order_by=id', 'assignee_id=x', 'wip=maybe', 'created_after=soon']) {
      expect((await as(author).get(`/projects/${project.id}/merge_requests?${query}`)).status).toBe(400);
    }
  });

  it('is for whoever may read them', async () => {
    const status = async (user: BuiltUser | null, { id }: BuiltProject) =>
      (await (user ? as(user) : app.current.api).get(`/projects/${id}/merge_requests`)).status;
    expect(await status(null, open)).toBe(200);
    expect(await status(null, project)).toBe(404);
    expect(await status(guest, project)).toBe(403);
    expect(await status(guest, open)).toBe(200);
    expect(await status(stranger, project)).toBe(404);
  });
});

describe('GET /groups/:id/merge_requests', () => {
  it('lists those inside that who asks may read', async () => {
    const path = `/groups/${group.id}/merge_requests`;
    expect(await titles(owner, path)).toEqual([GAMMA, BETA, ALPHA]);
    expect(await titles(author, `${path}?state=opened`)).toEqual([GAMMA, ALPHA]);
    expect(await titles(admin, path)).toHaveLength(3);
    for (const other of [guest, stranger, null]) expect(await titles(other, path)).toEqual([GAMMA]);
  });
});

describe('GET /merge_requests', () => {
  it("lists one's own by default, others' where they are asked for", async () => {
    expect(await titles(author, '/merge_requests')).toEqual([GAMMA, ALPHA]);
    expect(await titles(owner, '/merge_requests?scope=assigned_to_me')).toEqual([ALPHA]);
    expect(await titles(stranger, '/merge_requests')).toEqual([]);
    expect(await titles(owner, '/merge_requests?scope=all')).toEqual([GAMMA, BETA, ALPHA]);
    expect(await titles(guest, '/merge_requests?scope=all')).toEqual([GAMMA]);
    expect(await titles(null, '/merge_requests?scope=all')).toEqual([GAMMA]);
    expect((await app.current.api.get('/merge_requests')).status).toBe(401);
  });

  it.each(['merge_requests_access', 'repository_access'])(
    'forgets what was switched off: %s',
    async (part) => {
      const off = (value: string) =>
        app.current.database.query(`UPDATE projects SET ${part} = $2 WHERE id = $1`, [open.id, value]);
      const changes = async (user: BuiltUser) =>
        (await app.current.as(user).get(`/projects/${open.id}/merge_requests/1/changes`)).status;
      await off('private');
      expect([await changes(stranger), await changes(guest)]).toEqual([404, 200]);
      expect(await titles(stranger, '/merge_requests?scope=all')).toEqual([]);
      expect(await titles(guest, '/merge_requests?scope=all')).toEqual([GAMMA]);
      await off('disabled');
      expect(await changes(owner)).toBe(404);
      expect(await titles(author, '/merge_requests?scope=all')).toEqual([ALPHA, BETA].toReversed());
      expect(await titles(admin, '/merge_requests?scope=all')).not.toContain(GAMMA);
      await off('enabled');
    },
  );
});

describe('GET /projects/:id/milestones/:milestone_id/merge_requests', () => {
  it('lists what the milestone is to bring', async () => {
    expect(await titles(author, `/projects/${project.id}/milestones/${milestoneId}/merge_requests`)).toEqual([
      ALPHA,
    ]);
    const other = await as(author).get(
      `/projects/${project.id}/milestones/${groupMilestoneId}/merge_requests`,
    );
    expect([other.status, other.body]).toEqual([404, { message: '404 Not found' }]);
  });
});

describe('GET /groups/:id/milestones/:milestone_id/merge_requests', () => {
  it('lists what it is to bring anywhere, as far as who asks may read it', async () => {
    const path = `/groups/${group.id}/milestones/${groupMilestoneId}/merge_requests`;
    expect(await titles(owner, path)).toEqual([GAMMA, BETA]);
    expect(await titles(stranger, path)).toEqual([GAMMA]);
    expect((await app.current.api.get(path)).status).toBe(401);
  });
});

describe('the issues of a merge request', () => {
  const iids = async (path: string, user = author): Promise<number[]> => {
    const { body } = await as(user).get(`/projects/${project.id}${path}`).expect(200);
    return body.map(({ iid }: { iid: number }) => iid);
  };

  it('GET /projects/:id/merge_requests/:merge_request_iid/closes_issues has those named in description and commits', async () => {
    expect(await iids(`/merge_requests/${made[0].iid}/closes_issues`)).toEqual([1, 2]);
    expect(await iids(`/merge_requests/${made[1].iid}/closes_issues`)).toEqual([]);
  });

  it('GET /projects/:id/issues/:issue_iid/closed_by is the other way round', async () => {
    expect(await iids('/issues/1/closed_by')).toEqual([made[0].iid]);
    expect(await iids('/issues/3/closed_by')).toEqual([]);
    expect(await iids('/issues/1/closed_by', guest)).toEqual([]);
    const { body } = await as(author).get(`/projects/${project.id}/issues/1`).expect(200);
    expect(body.merge_requests_count).toBe(1);
    expect((await as(author).get(`/projects/${project.id}/issues/9/closed_by`)).status).toBe(404);
  });

  it('GET /projects/:id/issues/:issue_iid/related_merge_requests has whatever names it', async () => {
    expect(await iids('/issues/1/related_merge_requests')).toEqual([made[0].iid]);
    expect(await iids('/issues/3/related_merge_requests')).toEqual([made[0].iid]);
  });
});

describe('GET /projects/:id/repository/commits/:sha/merge_requests', () => {
  it('finds the merge requests of a commit, in the fields of the specification', async () => {
    const { body } = await as(author)
      .get(`/projects/${project.id}/repository/commits/${made[0].sha}/merge_requests`)
      .expect(200);
    expect(body).toHaveLength(1);
    expect(Object.keys(body[0])).toEqual([
      'id',
      'iid',
      'project_id',
      'title',
      'description',
      'state',
      'created_at',
      'updated_at',
      'target_branch',
      'source_branch',
      'upvotes',
      'downvotes',
      'author',
      'assignee',
      'source_project_id',
      'target_project_id',
      'labels',
      'work_in_progress',
      'milestone',
      'merge_when_pipeline_succeeds',
      'merge_status',
      'sha',
      'merge_commit_sha',
      'user_notes_count',
      'discussion_locked',
      'should_remove_source_branch',
      'force_remove_source_branch',
      'web_url',
      'time_stats',
    ]);
  });
});

describe('GET /user_counts', () => {
  it('counts the open merge requests that one has to look after', async () => {
    const counts = async (user: BuiltUser) => (await as(user).get('/user_counts')).body;
    expect(await counts(owner)).toEqual({ merge_requests: 1 });
    expect(await counts(stranger)).toEqual({ merge_requests: 0 });
  });

  it('leaves out what the caller sees no more, and archived projects', async () => {
    const { build, database } = app.current;
    const leaver = await build.user();
    const at = await build.project({ owner, files: { a: 'x' }, members: { developer: leaver } });
    await mergeRequest(app.current, { project: at, author: owner, params: { assignee_id: leaver.id } });
    const count = async () => (await as(leaver).get('/user_counts')).body.merge_requests;
    const archive = (archived: boolean) =>
      database.query('UPDATE projects SET archived = $2 WHERE id = $1', [at.id, archived]);
    expect(await count()).toBe(1);
    await archive(true);
    expect(await count()).toBe(0);
    await archive(false);
    await as(owner).delete(`/projects/${at.id}/members/${leaver.id}`).expect(204);
    expect(await count()).toBe(0);
  });
});
