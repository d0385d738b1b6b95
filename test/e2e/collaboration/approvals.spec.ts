import type { LevelName } from '#libs/access';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { branchOf, mergeRequest } from '../../support/collaboration-builders';

const app = useApplication({ TIER: 'starter' });

let owner: BuiltUser;
let author: BuiltUser;
let project: BuiltProject;
beforeAll(async () => {
  owner = await app.current.build.user();
  author = await app.current.build.user();
  project = await app.current.build.project({ owner, members: { developer: author }, files: { a: 'x\n' } });
});

const as = (user: BuiltUser) => app.current.as(user);
const url = (rest = '') => `/projects/${project.id}/merge_requests${rest}`;
/** As projects are made. */
const KEPT = { reset_approvals_on_push: true, merge_requests_author_approval: false };
const NOBODY = { approver_ids: '', approver_group_ids: '' };
const make = (params: object = {}) => mergeRequest(app.current, { project, author, params });

describe('approvals', () => {
  const settings = (body: object) => as(owner).post(`/projects/${project.id}/approvals`, body);

  it('POST /projects/:id/approvals says how many a project asks for', async () => {
    const { body } = await settings({ approvals_before_merge: 1 }).expect(201);
    expect(body).toEqual({
      approvers: [],
      approver_groups: [],
      approvals_before_merge: 1,
      reset_approvals_on_push: true,
      disable_overriding_approvers_per_merge_request: false,
      merge_requests_author_approval: false,
      merge_requests_disable_committers_approval: false,
    });
    expect((await settings({})).status).toBe(400);
    const refused = await as(author).post(`/projects/${project.id}/approvals`, { approvals_before_merge: 0 });
    expect(refused.status).toBe(403);
  });

  it('GET /projects/:id/approvals tells it', async () => {
    const { body } = await as(author).get(`/projects/${project.id}/approvals`).expect(200);
    expect(body).toMatchObject({ approvals_before_merge: 1, reset_approvals_on_push: true });
  });

  it('GET /projects/:id/merge_requests/:merge_request_iid/approvals tells how it stands', async () => {
    const { iid } = await make();
    const { body } = await as(author)
      .get(url(`/${iid}/approvals`))
      .expect(200);
    expect(body).toMatchObject({
      iid,
      approved: false,
      approvals_required: 1,
      approvals_left: 1,
      approved_by: [],
      user_has_approved: false,
      user_can_approve: false,
      suggested_approvers: [],
      approvers: [],
      approver_groups: [],
      approval_rules_left: [],
      has_approval_rules: false,
      multiple_approval_rules_available: false,
    });
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/approve is for others than the author, once, for the head that was looked at', async () => {
    const { iid, sha } = await make();
    const approve = (user: BuiltUser, body: object = {}) => as(user).post(url(`/${iid}/approve`), body);
    expect((await approve(author)).status).toBe(401);
    const stale = await approve(owner, { sha: '0'.repeat(40) });
    expect([stale.status, stale.body]).toEqual([
      409,
      { message: `SHA does not match HEAD of source branch: ${sha}` },
    ]);
    expect((await approve(owner, { sha }).expect(201)).body).toMatchObject({
      approved: true,
      approvals_left: 0,
      approved_by: [{ user: { id: owner.id } }],
      user_has_approved: true,
    });
    expect((await approve(owner)).status).toBe(401);
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/approve is for developers alone, however they are ones', async () => {
    const { build, database } = app.current;
    const { iid } = await make();
    const path = url(`/${iid}/approve`);
    const status = async (user: BuiltUser): Promise<number> => (await as(user).post(path)).status;
    const member = async (level: LevelName, options: object = {}): Promise<BuiltUser> => {
      const user = await build.user(options);
      await build.member('project', project.id, user, level);
      return user;
    };
    // Guests do not even see merge requests of a private project.
    expect(await status(await member('guest'))).toBe(404);
    expect(await status(await build.user())).toBe(404);
    expect(await status(await member('reporter'))).toBe(401);
    expect(await status(await member('developer', { external: true }))).toBe(201);
    expect(await status(await build.user({ admin: true }))).toBe(201);
    expect(await status(await member('developer', { scopes: ['read_user', 'read_repository'] }))).toBe(403);
    const former = await member('developer');
    await database.query('UPDATE members SET expires_at = current_date WHERE user_id = $1', [former.id]);
    expect(await status(former)).toBe(404);
    const blocked = await member('developer');
    await database.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [blocked.id]);
    expect(await status(blocked)).toBe(403);
    // A share gives what both of its sides give.
    const [near, far] = [await build.user(), await build.user()];
    await build.share(project, await build.group({ members: { developer: near } }), 'developer');
    await build.share(project, await build.group({ members: { owner: far } }), 'reporter');
    expect([await status(near), await status(far)]).toEqual([201, 401]);
    const admin = await build.user({ admin: true, scopes: ['api', 'sudo'] });
    const sudo = (user: BuiltUser) => as(admin).with({ sudo: user.username }).post(path);
    expect((await sudo(author)).status).toBe(401);
    expect((await sudo(owner).expect(201)).body.approved_by.at(-1)).toEqual({
      user: expect.objectContaining({ id: owner.id }),
    });
    await database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    expect(await status(admin)).toBe(401);
    expect((await as(owner).post(url(`/${iid}/unapprove`))).status).toBe(403);
    const rule = { name: 'Own', approvals_required: 1 };
    expect((await as(owner).post(url(`/${iid}/approval_rules`), rule)).status).toBe(403);
    expect((await as(author).put(url(`/${iid}/approvers`), NOBODY)).status).toBe(403);
    await database.query('UPDATE projects SET archived = false WHERE id = $1', [project.id]);
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/unapprove takes it back, once', async () => {
    const { iid } = await make();
    await as(owner)
      .post(url(`/${iid}/approve`))
      .expect(201);
    expect(
      (
        await as(owner)
          .post(url(`/${iid}/unapprove`))
          .expect(201)
      ).body.approved_by,
    ).toEqual([]);
    expect((await as(owner).post(url(`/${iid}/unapprove`))).status).toBe(404);
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/approvals asks for another number, unless the project has its way', async () => {
    const { iid } = await make();
    const ask = (count: number) => as(author).post(url(`/${iid}/approvals`), { approvals_required: count });
    expect((await ask(3).expect(201)).body).toMatchObject({ approvals_required: 3, approvals_left: 3 });
    const few = await ask(0);
    const sentence = 'Number of approvals must be at least that of approvals on the target project';
    expect([few.status, few.body.message]).toEqual([400, { validate_approvals_before_merge: [sentence] }]);
    await settings({ disable_overriding_approvers_per_merge_request: true }).expect(201);
    expect((await ask(0)).status).toBe(403);
    const change = { approvals_before_merge: 7, title: 'Mine' };
    await as(author)
      .put(url(`/${iid}`), change)
      .expect(200);
    // What the project asks for later counts for those, too, that asked for more or less themselves.
    const required = async () => (await as(author).get(url(`/${iid}/approvals`))).body.approvals_required;
    expect(await required()).toBe(3);
    await settings({ approvals_before_merge: 4 }).expect(201);
    expect(await required()).toBe(4);
    await settings({ approvals_before_merge: 1 }).expect(201);
    // Nor does a new one get its way.
    const other = await make({ approvals_before_merge: 7 });
    const { body } = await as(author).get(url(`/${other.iid}`));
    expect(body.approvals_before_merge).toBeNull();
    await settings({ disable_overriding_approvers_per_merge_request: false }).expect(201);
    const { iid: more } = await make({ approvals_before_merge: 7 });
    expect((await as(author).get(url(`/${more}`))).body.approvals_before_merge).toBe(7);
  });

  it('lets authors and committers approve as the project says', async () => {
    await settings({ merge_requests_author_approval: true }).expect(201);
    const { iid } = await make();
    await as(author)
      .post(url(`/${iid}/approve`))
      .expect(201);
    await settings({ merge_requests_disable_committers_approval: true }).expect(201);
    const { body: commit } = await as(owner)
      .post(`/projects/${project.id}/repository/commits`, {
        branch: 'by-owner',
        start_branch: 'master',
        commit_message: 'Mine',
        actions: [{ action: 'create', file_path: 'mine', content: 'm' }],
      })
      .expect(201);
    expect(commit.committer_email).toBe(owner.email);
    const { body } = await as(author)
      .post(url(), { source_branch: 'by-owner', target_branch: 'master', title: 'Theirs' })
      .expect(201);
    expect((await as(owner).post(url(`/${body.iid}/approve`))).status).toBe(401);
    await settings({
      merge_requests_author_approval: false,
      merge_requests_disable_committers_approval: false,
    }).expect(201);
  });

  it('does not count what authors and committers approved before they were barred', async () => {
    const open = { reset_approvals_on_push: false, merge_requests_author_approval: true };
    await settings(open).expect(201);
    const { iid, branch } = await make();
    const standing = async () =>
      (
        await as(author)
          .get(url(`/${iid}/approvals`))
          .expect(200)
      ).body;
    const approve = (user: BuiltUser) =>
      as(user)
        .post(url(`/${iid}/approve`))
        .expect(201);
    await approve(author);
    expect(await standing()).toMatchObject({ approved: true, approvals_left: 0 });
    await settings({ merge_requests_author_approval: false }).expect(201);
    expect(await standing()).toMatchObject({ approved: false, approvals_left: 1 });
    await approve(owner);
    await settings({ merge_requests_disable_committers_approval: true }).expect(201);
    expect(await standing()).toMatchObject({ approved: true });
    // They approve first, and bring the rest afterwards.
    const rest = { branch, content: 'x', commit_message: 'More' };
    await as(owner).post(`/projects/${project.id}/repository/files/more`, rest).expect(201);
    expect((await as(owner).put(url(`/${iid}/merge`))).status).toBe(405);
    expect(await standing()).toMatchObject({ approved: false, approvals_left: 1 });
    expect((await standing()).approved_by).toHaveLength(2);
    await settings({ ...KEPT, merge_requests_disable_committers_approval: false }).expect(201);
  });

  it('PUT /projects/:id/merge_requests/:merge_request_iid takes approvals back that were given for another target branch', async () => {
    for (const isReset of [true, false]) {
      await settings({ reset_approvals_on_push: isReset }).expect(201);
      // Whoever approves it sees one file; the side branch brings another one along.
      const side = `side-${isReset}`;
      await branchOf(project, { branch: side, files: { [side]: 'not looked at\n' } });
      const { iid } = await make({ target_branch: side });
      await as(owner)
        .post(url(`/${iid}/approve`))
        .expect(201);
      await as(author)
        .put(url(`/${iid}`), { target_branch: 'master', title: 'Elsewhere' })
        .expect(200);
      const { body } = await as(author)
        .get(url(`/${iid}/approvals`))
        .expect(200);
      expect([body.approved, body.approved_by.length]).toEqual(isReset ? [false, 0] : [true, 1]);
    }
    await settings(KEPT).expect(201);
  });
});

describe('approvers by name, as the older rows have them', () => {
  let reviewer: BuiltUser;
  let second: BuiltUser;
  let group: { id: number };
  beforeAll(async () => {
    const { build } = app.current;
    [reviewer, second] = [await build.user(), await build.user()];
    await build.member('project', project.id, reviewer, 'developer');
    await build.member('project', project.id, second, 'developer');
    group = await build.group({ members: { owner, developer: second } });
  });
  afterAll(() => setForProject({ approver_ids: '', approver_group_ids: '' }).expect(200));

  const setForProject = (body: object, user = owner) =>
    as(user).put(`/projects/${project.id}/approvers`, body);
  const idsOf = (found: { user: { id: number } }[]) => found.map(({ user }) => user.id);

  it('PUT /projects/:id/approvers replaces all of them, groups that the caller sees among them', async () => {
    const stranger = await app.current.build.user();
    const hidden = await app.current.build.group();
    const wanted = {
      approver_ids: [reviewer.id, stranger.id, 99_999_999],
      approver_group_ids: [group.id, hidden.id],
    };
    const { body } = await setForProject(wanted).expect(200);
    expect(idsOf(body.approvers)).toEqual([reviewer.id]);
    expect(body.approver_groups).toEqual([
      { group: expect.objectContaining({ id: group.id, visibility: 'private' }) },
    ]);
    expect(body.approvals_before_merge).toBe(1);
    const seen = await as(author).get(`/projects/${project.id}/approvals`).expect(200);
    expect([idsOf(seen.body.approvers), seen.body.approver_groups]).toEqual([[reviewer.id], []]);
    await setForProject({ approver_ids: [reviewer.id], approver_group_ids: '' }).expect(200);
    expect((await as(owner).get(`/projects/${project.id}/approvals`)).body.approver_groups).toEqual([]);
    // Whoever takes everybody away takes nobody away whom they do not see.
    await app.current.database.query(
      'INSERT INTO approval_rule_groups SELECT id, $2 FROM approval_rules WHERE project_id = $1',
      [project.id, hidden.id],
    );
    const rules = async () =>
      (await as(owner).get(`/projects/${project.id}/approval_rules`).expect(200)).body.map(
        (rule: { users: object[]; contains_hidden_groups: boolean }) => [
          rule.users.length,
          rule.contains_hidden_groups,
        ],
      );
    expect((await setForProject(NOBODY).expect(200)).body).toMatchObject({
      approvers: [],
      approver_groups: [],
    });
    expect(await rules()).toEqual([[0, true]]);
    await app.current.database.query('DELETE FROM namespaces WHERE id = $1', [hidden.id]);
    await setForProject(NOBODY).expect(200);
    expect(await rules()).toEqual([]);
    await setForProject({ ...NOBODY, approver_ids: [reviewer.id] }).expect(200);
  });

  it('PUT /projects/:id/approvers is for maintainers, and says what is wrong', async () => {
    const wanted = { approver_ids: [reviewer.id], approver_group_ids: [] };
    expect((await setForProject(wanted, author)).status).toBe(403);
    expect((await setForProject(wanted, await app.current.build.user())).status).toBe(404);
    const anonymous = await app.current.api.put(`/projects/${project.id}/approvers`, wanted);
    expect(anonymous.status).toBe(401);
    expect((await setForProject({ approver_ids: [1] })).body).toEqual({
      message: '400 (Bad request) "approver_group_ids" not given',
    });
    const many = { ...wanted, approver_ids: Array.from({ length: 101 }, (_, index) => index) };
    expect((await setForProject(many)).body).toEqual({ error: 'approver_ids has more than 100 elements' });
    const nobody = await setForProject({ approver_ids: [99_999_999], approver_group_ids: [] });
    expect([nobody.status, nobody.body]).toEqual([
      400,
      { message: { approvers: ['names nobody who can be named here'] } },
    ]);
  });

  it('count: who is not named does not bring a change further', async () => {
    const { iid } = await make();
    const state = async () =>
      (
        await as(owner)
          .get(url(`/${iid}/approvals`))
          .expect(200)
      ).body;
    await as(owner)
      .post(url(`/${iid}/approve`))
      .expect(201);
    expect(await state()).toMatchObject({
      approved: false,
      approvals_required: 1,
      approvals_left: 1,
      approved_by: [{ user: { id: owner.id } }],
      suggested_approvers: [{ id: reviewer.id }],
      approval_rules_left: [{ name: 'Default', rule_type: 'regular' }],
      has_approval_rules: true,
    });
    expect((await as(owner).put(url(`/${iid}/merge`))).status).toBe(405);
    await as(reviewer)
      .post(url(`/${iid}/approve`))
      .expect(201);
    expect(await state()).toMatchObject({ approved: true, approvals_left: 0, approval_rules_left: [] });
    await as(owner)
      .put(url(`/${iid}/merge`))
      .expect(200);
  });

  it('PUT /projects/:id/merge_requests/:merge_request_iid/approvers puts others in the place of the project’s', async () => {
    const { iid } = await make();
    const set = (ids: readonly number[], user = author) =>
      as(user).put(url(`/${iid}/approvers`), { approver_ids: ids, approver_group_ids: [] });
    expect(idsOf((await set([second.id]).expect(200)).body.approvers)).toEqual([second.id]);
    expect((await set([], second).expect(200)).body.approvers).toMatchObject([{ user: { id: reviewer.id } }]);
    const guest = await app.current.build.user();
    await app.current.build.member('project', project.id, guest, 'reporter');
    expect((await set([guest.id], guest)).status).toBe(403);
    const path = `/projects/${project.id}/approvals`;
    await as(owner).post(path, { disable_overriding_approvers_per_merge_request: true }).expect(201);
    expect((await set([second.id])).status).toBe(403);
    await as(owner).post(path, { disable_overriding_approvers_per_merge_request: false }).expect(201);
  });

  it('a rule in the place of the project’s is not met by fewer people than that would need', async () => {
    const { build } = app.current;
    const members = { developer: author };
    const there = await build.project({ owner, members, visibility: 'public', files: { a: 'x\n' } });
    const [second, friend] = [await build.user(), await build.user()];
    for (const user of [reviewer, second, friend]) await build.member('project', there.id, user, 'developer');
    const rules = `/projects/${there.id}/approval_rules`;
    const asked = { name: 'Both', approvals_required: 2 };
    const names = [reviewer.id, second.id];
    const { body: rule } = await as(owner)
      .post(rules, { ...asked, user_ids: names })
      .expect(201);
    const { iid } = await mergeRequest(app.current, { project: there, author });
    const at = `/projects/${there.id}/merge_requests/${iid}`;
    const own = { ...asked, approval_project_rule_id: rule.id, user_ids: [friend.id] };
    await as(author).post(`${at}/approval_rules`, own).expect(201);
    await as(friend).post(`${at}/approve`).expect(201);
    const standing = async () => (await as(author).get(`${at}/approvals`).expect(200)).body;
    // All there are have approved, but the author has seen to it that there is one.
    expect(await standing()).toMatchObject({ approved: false, approvals_left: 1 });
    expect((await as(owner).put(`${at}/merge`)).status).toBe(405);
    await as(owner)
      .put(`${rules}/${rule.id}`, { user_ids: [reviewer.id] })
      .expect(200);
    expect(await standing()).toMatchObject({ approved: true, approvals_left: 1 });
  });

  it('POST /projects/:id/approval_rules has one rule only in this tier', async () => {
    const again = { name: 'Another', approvals_required: 1 };
    const { status, body } = await as(owner).post(`/projects/${project.id}/approval_rules`, again);
    expect([status, body]).toEqual([403, { message: '403 Forbidden - There can be one approval rule only' }]);
  });
});
