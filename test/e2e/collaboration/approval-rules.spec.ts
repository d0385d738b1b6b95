import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { mergeRequest, type BuiltMergeRequest } from '../../support/collaboration-builders';
import { whileHeld } from '../../support/held-rows';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication({ TIER: 'premium' });

let admin: BuiltUser;
let owner: BuiltUser;
let author: BuiltUser;
let reviewer: BuiltUser;
let tester: BuiltUser;
let guest: BuiltUser;
beforeAll(async () => {
  const { build } = app.current;
  admin = await build.user({ admin: true });
  owner = await build.user();
  author = await build.user();
  reviewer = await build.user();
  tester = await build.user();
  guest = await build.user();
});

const as = (user: BuiltUser) => app.current.as(user);
const idsOf = (people: { id: number }[]) => people.map(({ id }) => id);

/** A project in which all but the stranger are members, and what is said to it. */
class Scene {
  private constructor(readonly project: BuiltProject) {}

  static async set(namespace?: BuiltGroup): Promise<Scene> {
    const { build } = app.current;
    const members = { developer: author, guest };
    const place = { owner, ...(namespace && { namespace }) };
    const project = await build.project({ ...place, members, visibility: 'public', files: { a: 'x\n' } });
    await build.member('project', project.id, reviewer, 'developer');
    await build.member('project', project.id, tester, 'developer');
    return new Scene(project);
  }

  url = (rest = '') => `/projects/${this.project.id}/approval_rules${rest}`;
  create = (body: object, user = owner) =>
    as(user).post(this.url(), { name: 'Security', approvals_required: 1, ...body });
  rule = async (body: object): Promise<number> => (await this.create(body).expect(201)).body.id;
  settings = (body: object) => as(owner).post(`/projects/${this.project.id}/approvals`, body).expect(201);
  at = (iid: number, rest = '') => `/projects/${this.project.id}/merge_requests/${iid}${rest}`;
  propose = (): Promise<BuiltMergeRequest> => mergeRequest(app.current, { project: this.project, author });
  approve = (user: BuiltUser, iid: number) => as(user).post(this.at(iid, '/approve'));
  merge = async (iid: number): Promise<number> => (await as(owner).put(this.at(iid, '/merge'))).status;
  state = async (iid: number, user = owner) =>
    (await as(user).get(this.at(iid, '/approval_state')).expect(200)).body;
  standing = async (iid: number) => (await as(owner).get(this.at(iid, '/approvals')).expect(200)).body;
}

describe('the approval rules of a project', () => {
  let at: Scene;
  beforeAll(async () => (at = await Scene.set()));

  it('GET /projects/:id/approval_rules lists those whom POST has named to approve', async () => {
    const group = await app.current.build.group({ members: { owner, developer: tester } });
    const { body } = await at
      .create({ user_ids: [reviewer.id, guest.id], group_ids: `${group.id}`, approvals_required: 2 })
      .expect(201);
    expect(Object.keys(body)).toEqual([
      'id',
      'name',
      'rule_type',
      'eligible_approvers',
      'approvals_required',
      'users',
      'groups',
      'contains_hidden_groups',
    ]);
    expect(body).toMatchObject({ name: 'Security', rule_type: 'regular', approvals_required: 2 });
    // Guests cannot approve; of groups those can who may in the project.
    expect(idsOf(body.eligible_approvers)).toEqual([owner.id, reviewer.id, tester.id]);
    expect(idsOf(body.users)).toEqual([reviewer.id, guest.id]);
    expect([idsOf(body.groups), body.contains_hidden_groups]).toEqual([[group.id], false]);
    expect((await as(owner).get(at.url()).expect(200)).body).toEqual([body]);
    const seen = await as(guest).get(at.url()).expect(200);
    // Who could approve would tell who is in the group.
    const hidden = { groups: [], eligible_approvers: [], contains_hidden_groups: true };
    expect(seen.body).toEqual([{ ...body, ...hidden }]);
    const { iid } = await at.propose();
    const told = async (user: BuiltUser) => {
      const { body: standing } = await as(user).get(at.at(iid, '/approvals')).expect(200);
      return [(await at.state(iid, user)).rules[0].eligible_approvers, standing.suggested_approvers].map(
        idsOf,
      );
    };
    const [eligible, suggested] = [idsOf(body.eligible_approvers), [owner.id, reviewer.id]];
    expect(await told(tester)).toEqual([eligible, suggested]);
    expect(await told(guest)).toEqual([[], []]);
  });

  it('POST /projects/:id/approval_rules is for maintainers', async () => {
    expect((await at.create({}, author)).status).toBe(403);
    expect((await at.create({}, guest)).status).toBe(403);
    expect((await app.current.api.post(at.url(), {})).status).toBe(401);
    const hidden = await app.current.build.project();
    expect((await as(author).get(`/projects/${hidden.id}/approval_rules`)).status).toBe(404);
  });

  it.each([
    [{ name: '' }, { error: 'name is empty' }],
    [{ name: null }, { message: '400 (Bad request) "name" not given' }],
    [{ approvals_required: null }, { message: '400 (Bad request) "approvals_required" not given' }],
    [{ approvals_required: 'many' }, { error: 'approvals_required is invalid' }],
    [{ approvals_required: -1 }, { error: 'approvals_required does not have a valid value' }],
    [{ approvals_required: 101 }, { error: 'approvals_required does not have a valid value' }],
    [{ user_ids: ['x'] }, { error: 'user_ids is invalid' }],
    [{ user_ids: { 0: 1 } }, { error: 'user_ids is invalid' }],
    [{ group_ids: Array(101).fill(1) }, { error: 'group_ids has more than 100 elements' }],
    [{ name: 'New', group_ids: [99_999_999] }, { message: { approvers: [expect.any(String)] } }],
    [{}, { message: { name: ['has already been taken'] } }],
  ])('POST /projects/:id/approval_rules refuses %j', async (body, expected) => {
    const answer = await at.create(body);
    expect([answer.status, answer.body]).toEqual([400, expected]);
  });

  it('PUT /projects/:id/approval_rules/:approval_rule_id replaces the names that are sent, and no group that the caller does not see', async () => {
    const [open, hidden] = [
      await app.current.build.group({ visibility: 'public' }),
      await app.current.build.group(),
    ];
    const id = await at.rule({ name: 'Groups', group_ids: [open.id], user_ids: [tester.id] });
    await app.current.database.query('INSERT INTO approval_rule_groups VALUES ($1, $2)', [id, hidden.id]);
    const url = at.url(`/${id}`);
    const change = async (body: object, user = owner) => (await as(user).put(url, body).expect(200)).body;
    const renamed = await change({ name: 'Named', approvals_required: 0 });
    expect(renamed).toMatchObject({ name: 'Named', approvals_required: 0, contains_hidden_groups: true });
    expect([idsOf(renamed.users), idsOf(renamed.groups)]).toEqual([[tester.id], [open.id]]);
    const emptied = await change({ group_ids: '', user_ids: [reviewer.id] });
    expect([idsOf(emptied.users), emptied.groups]).toEqual([[reviewer.id], []]);
    expect(idsOf((await change({ name: 'Seen' }, admin)).groups)).toEqual([hidden.id]);
    // Several people could add to what each of them does not see.
    await app.current.database.query(
      `WITH made AS (INSERT INTO namespaces (kind, name, path)
         SELECT 'group', 'Full ' || n, 'full-' || n FROM generate_series(1, 99) n RETURNING id)
       INSERT INTO approval_rule_groups SELECT $1, id FROM made`,
      [id],
    );
    const more = await as(owner).put(url, { group_ids: [open.id] });
    expect([more.status, more.body]).toEqual([400, { message: { groups: ['can be 100 at most'] } }]);
    expect((await change({ remove_hidden_groups: true })).contains_hidden_groups).toBe(false);
    expect((await as(owner).put(url, {})).status).toBe(400);
    const taken = await as(owner).put(url, { name: 'Security' });
    expect(taken.body).toEqual({ message: { name: ['has already been taken'] } });
    expect((await as(author).put(url, { name: 'Mine' })).status).toBe(403);
    expect((await as(owner).put((await Scene.set()).url(`/${id}`), { name: 'Mine' })).status).toBe(404);
  });

  it('DELETE /projects/:id/approval_rules/:approval_rule_id removes it, once', async () => {
    const id = await at.rule({ name: 'Short', user_ids: [tester.id] });
    expect((await as(author).delete(at.url(`/${id}`))).status).toBe(403);
    expect((await as(owner).delete((await Scene.set()).url(`/${id}`))).status).toBe(404);
    await as(owner)
      .delete(at.url(`/${id}`))
      .expect(204);
    expect((await as(owner).delete(at.url(`/${id}`))).status).toBe(404);
  });

  it('POST /projects/:id/approval_rules gives a name once, also to two at once', async () => {
    const made = await Promise.all([at.create({ name: 'Twice' }), at.create({ name: 'Twice' })]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 400]);
  });
});

it('POST /projects/:id/approval_rules stops at a number that nobody needs', async () => {
  const at = await Scene.set();
  await app.current.database.query(
    `INSERT INTO approval_rules (project_id, name, approvals_required, for_anyone)
     SELECT $1, 'Rule ' || n, 0, true FROM generate_series(1, 50) n`,
    [at.project.id],
  );
  const { status, body } = await at.create({});
  expect([status, body]).toEqual([400, { message: { base: ['There can be 50 approval rules at most'] } }]);
});

describe('GET /projects/:id/merge_requests/:merge_request_iid/approval_state', () => {
  it('has the rules that hold and how they stand; one approval counts for several', async () => {
    const at = await Scene.set();
    const first = await at.rule({ name: 'First', user_ids: [reviewer.id, tester.id, author.id] });
    await at.rule({ name: 'Second', user_ids: [reviewer.id] });
    const { iid } = await at.propose();
    const before = await at.state(iid, guest);
    expect(before.approval_rules_overwritten).toBe(false);
    expect(Object.keys(before.rules[0]).slice(-3)).toEqual(['approved_by', 'source_rule', 'approved']);
    expect(before.rules[0]).toMatchObject({ id: first, name: 'First', source_rule: null, approved: false });
    // Authors do not judge what is theirs.
    expect(idsOf(before.rules[0].eligible_approvers)).toEqual([reviewer.id, tester.id]);
    expect((await at.approve(author, iid)).status).toBe(401);
    await at.approve(owner, iid).expect(201);
    expect(await at.standing(iid)).toMatchObject({
      approvals_required: 2,
      approvals_left: 2,
      approved: false,
    });
    expect(await at.merge(iid)).toBe(405);
    const { body } = await at.approve(reviewer, iid).expect(201);
    expect(body).toMatchObject({
      approved: true,
      approvals_left: 0,
      user_has_approved: true,
      user_can_approve: false,
      approval_rules_left: [],
      multiple_approval_rules_available: true,
    });
    const { rules } = await at.state(iid);
    expect(rules.map((rule: { approved_by: { id: number }[] }) => idsOf(rule.approved_by))).toEqual([
      [reviewer.id],
      [reviewer.id],
    ]);
    // What the project asks of anybody is met by the same approvals.
    await at.settings({ approvals_before_merge: 3 });
    expect(await at.standing(iid)).toMatchObject({ approvals_required: 3, approvals_left: 1 });
    expect(await at.merge(iid)).toBe(405);
    await at.settings({ approvals_before_merge: 2 });
    expect(await at.merge(iid)).toBe(200);
  });

  it('counts nobody who cannot approve any more, and lets nobody through where no one is left', async () => {
    const at = await Scene.set();
    const leaver = await app.current.build.user();
    await app.current.build.member('project', at.project.id, leaver, 'developer');
    const id = await at.rule({ user_ids: [leaver.id], approvals_required: 2 });
    const { iid } = await at.propose();
    await at.approve(leaver, iid).expect(201);
    // All there are have approved, although two were asked for.
    expect(await at.standing(iid)).toMatchObject({ approved: true, approvals_left: 1 });
    await as(admin).post(`/users/${leaver.id}/block`).expect(201);
    expect(await at.standing(iid)).toMatchObject({ approved: false, approvals_left: 2 });
    await as(admin).delete(`/users/${leaver.id}`).expect(204);
    expect((await at.state(iid)).rules[0]).toMatchObject({
      id,
      users: [],
      eligible_approvers: [],
      approved: false,
    });
    await at.approve(reviewer, iid).expect(201);
    expect(await at.merge(iid)).toBe(405);
    // Until somebody says that anybody will do.
    await as(owner)
      .put(at.url(`/${id}`), { user_ids: '', approvals_required: 1 })
      .expect(200);
    expect(await at.merge(iid)).toBe(200);
  });

  it('counts no group that is being removed, and nobody who made the change where the project says so', async () => {
    const at = await Scene.set();
    const group = await app.current.build.group({ members: { owner, developer: reviewer } });
    await at.rule({ name: 'Group', group_ids: [group.id] });
    await at.settings({ merge_requests_disable_committers_approval: true });
    const { iid } = await at.propose();
    const eligible = async () => idsOf((await at.state(iid)).rules[0].eligible_approvers);
    expect(await eligible()).toEqual([owner.id, reviewer.id]);
    // The committer of the fixtures; an address that nobody has confirmed says nothing.
    const { rows } = await app.current.database.query<{ id: string }>(
      `INSERT INTO emails (user_id, email) VALUES ($1, 'Carl@example.com') RETURNING id`,
      [reviewer.id],
    );
    expect(await eligible()).toEqual([owner.id, reviewer.id]);
    await app.current.database.query('UPDATE emails SET confirmed_at = now() WHERE id = $1', [rows[0]?.id]);
    expect(await eligible()).toEqual([owner.id]);
    expect((await at.approve(reviewer, iid)).status).toBe(401);
    await as(owner).delete(`/groups/${group.id}`).expect(202);
    expect((await at.state(iid)).rules[0]).toMatchObject({
      groups: [],
      contains_hidden_groups: false,
      eligible_approvers: [],
      approved: false,
    });
  });

  it('takes as many statements for many rules as for one', async () => {
    const at = await Scene.set();
    const { iid } = await at.propose();
    await at.rule({ name: 'One', user_ids: [reviewer.id] });
    const statements = async () =>
      (await statementsDuring(() => at.state(iid))).filter(({ text }) => /approv|FROM users/.test(text));
    const one = await statements();
    for (const name of ['Two', 'Three', 'Four']) await at.rule({ name, user_ids: [tester.id] });
    expect(await statements()).toHaveLength(one.length);
    expect(one.length).toBeGreaterThan(0);
  });
});

describe('the approval rules of a merge request', () => {
  let at: Scene;
  let source: number;
  let proposal: BuiltMergeRequest;
  beforeAll(async () => {
    at = await Scene.set();
    source = await at.rule({ user_ids: [reviewer.id] });
    proposal = await at.propose();
  });
  const url = (rest = '') => at.at(proposal.iid, `/approval_rules${rest}`);
  const create = (body: object, user = author) =>
    as(user).post(url(), { name: 'Own', approvals_required: 1, ...body });

  it('POST /projects/:id/merge_requests/:merge_request_iid/approval_rules puts one in the place of the project’s', async () => {
    const { body } = await create({ approval_project_rule_id: source, approvals_required: 2 }).expect(201);
    expect(body).toMatchObject({
      name: 'Security',
      approvals_required: 2,
      source_rule: { approvals_required: 1 },
    });
    expect(idsOf(body.users)).toEqual([reviewer.id]);
    const list = await as(guest).get(url()).expect(200);
    expect(list.body).toEqual([body]);
    const { approval_rules_overwritten: overwritten, rules } = await at.state(proposal.iid);
    expect([overwritten, idsOf(rules)]).toEqual([true, [body.id]]);
    const again = await create({ approval_project_rule_id: source });
    expect([again.status, again.body]).toEqual([400, { message: { name: ['has already been taken'] } }]);
    await as(author)
      .put(url(`/${body.id}`), { name: 'Other' })
      .expect(200);
    expect((await create({ approval_project_rule_id: source })).body).toEqual({
      message: { approval_project_rule_id: ['has already been taken'] },
    });
    await as(author)
      .delete(url(`/${body.id}`))
      .expect(204);
    expect(idsOf((await at.state(proposal.iid)).rules)).toEqual([source]);
  });

  it('PUT /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id asks for no less than the project', async () => {
    const sentence = { message: { approvals_required: ['must be greater than or equal to 1'] } };
    expect((await create({ approval_project_rule_id: source, approvals_required: 0 })).body).toEqual(
      sentence,
    );
    const { body } = await create({ approval_project_rule_id: source }).expect(201);
    expect((await as(author).put(url(`/${body.id}`), { approvals_required: 0 })).body).toEqual(sentence);
    const changed = await as(author)
      .put(url(`/${body.id}`), { approvals_required: 3, user_ids: [tester.id] })
      .expect(200);
    expect([changed.body.approvals_required, idsOf(changed.body.users)]).toEqual([3, [tester.id]]);
    // What the project asks for later counts for it, too.
    await as(owner)
      .put(at.url(`/${source}`), { approvals_required: 4 })
      .expect(200);
    expect((await at.state(proposal.iid)).rules).toMatchObject([
      { id: body.id, approvals_required: 4, source_rule: { approvals_required: 4 } },
    ]);
    await as(owner)
      .put(at.url(`/${source}`), { approvals_required: 1 })
      .expect(200);
    // The project has its way, whatever the merge request says.
    await at.settings({ disable_overriding_approvers_per_merge_request: true });
    expect(await at.state(proposal.iid)).toMatchObject({
      approval_rules_overwritten: false,
      rules: [{ id: source }],
    });
    for (const answer of [
      await create({}),
      await as(author).put(url(`/${body.id}`), { name: 'X' }),
      await as(author).delete(url(`/${body.id}`)),
    ])
      expect(answer.status).toBe(403);
    await at.settings({ disable_overriding_approvers_per_merge_request: false });
    await as(author)
      .delete(url(`/${body.id}`))
      .expect(204);
  });

  it('GET /projects/:id/merge_requests/:merge_request_iid/approval_rules lists its own', async () => {
    const { body } = await create({ user_ids: [tester.id] }).expect(201);
    const listed = await as(author).get(url()).expect(200);
    expect(idsOf(listed.body)).toEqual([body.id]);
    await as(author)
      .delete(url(`/${body.id}`))
      .expect(204);
  });

  it('DELETE /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id removes it, once', async () => {
    const { body } = await create({ user_ids: [tester.id] }).expect(201);
    const remove = (id: number) => as(author).delete(url(`/${id}`));
    expect((await as(guest).delete(url(`/${body.id}`))).status).toBe(403);
    expect((await remove(source)).status).toBe(404);
    expect((await remove(body.id)).status).toBe(204);
    expect((await remove(body.id)).status).toBe(404);
  });

  it('POST /projects/:id/merge_requests/:merge_request_iid/approval_rules adds to those of the project', async () => {
    const { body } = await create({ user_ids: [tester.id] }).expect(201);
    expect(body.source_rule).toBeNull();
    expect(idsOf((await at.state(proposal.iid)).rules)).toEqual([source, body.id]);
    expect((await create({ name: 'Nowhere', approval_project_rule_id: 99_999_999 })).status).toBe(404);
    expect((await create({}, guest)).status).toBe(403);
    expect((await as(guest).delete(url(`/${body.id}`))).status).toBe(403);
    expect((await app.current.api.get(url())).status).toBe(401);
    expect((await as(author).delete(url(`/${source}`))).status).toBe(404);
    expect((await as(author).get(at.at(999, '/approval_rules'))).status).toBe(404);
    await at.approve(reviewer, proposal.iid).expect(201);
    expect(await at.merge(proposal.iid)).toBe(405);
    await at.approve(tester, proposal.iid).expect(201);
    expect(await at.merge(proposal.iid)).toBe(200);
    expect((await as(author).delete(url(`/${body.id}`))).status).toBe(403);
  });
});

describe('approvals at once', () => {
  it('all count, each once', async () => {
    const at = await Scene.set();
    await at.rule({ user_ids: [reviewer.id, tester.id], approvals_required: 2 });
    const { iid } = await at.propose();
    const answers = await Promise.all([reviewer, tester, tester].map((user) => at.approve(user, iid)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 401]);
    expect(await at.standing(iid)).toMatchObject({ approved: true, approvals_left: 0 });
  });

  it('are not lost where their rule goes meanwhile', async () => {
    const at = await Scene.set();
    const id = await at.rule({ user_ids: [reviewer.id] });
    const proposal = await at.propose();
    const hold = `SELECT 1 FROM merge_requests WHERE id = ${proposal.id} FOR UPDATE`;
    const remove = async () => {
      await as(owner)
        .delete(at.url(`/${id}`))
        .expect(204);
    };
    const answer = await whileHeld(app.current, hold, () => at.approve(reviewer, proposal.iid), remove);
    expect(answer.status).toBe(201);
    expect(await at.standing(proposal.iid)).toMatchObject({
      approved: true,
      has_approval_rules: false,
      approved_by: [{ user: { id: reviewer.id } }],
    });
  });
});

it('POST /projects/:id/merge_requests/:merge_request_iid/approval_rules finds no rule that goes meanwhile', async () => {
  const at = await Scene.set();
  const id = await at.rule({ user_ids: [reviewer.id] });
  const { iid } = await at.propose();
  const body = { name: 'Own', approvals_required: 1, approval_project_rule_id: id };
  const create = () => as(author).post(at.at(iid, '/approval_rules'), body);
  const answer = await whileHeld(app.current, `DELETE FROM approval_rules WHERE id = ${id}`, create);
  expect(answer.status).toBe(404);
});

describe('lists by approver_ids', () => {
  let at: Scene;
  let group: BuiltGroup;
  let mine: BuiltMergeRequest;
  let plain: BuiltMergeRequest;
  beforeAll(async () => {
    group = await app.current.build.group({ members: { owner } });
    at = await Scene.set(group);
    const id = await at.rule({ user_ids: [reviewer.id] });
    [mine, plain] = [await at.propose(), await at.propose()];
    await as(author)
      .post(at.at(mine.iid, '/approval_rules'), { name: 'Own', approvals_required: 0, user_ids: [tester.id] })
      .expect(201);
    const own = { name: 'x', approvals_required: 1, approval_project_rule_id: id, user_ids: '' };
    await as(author).post(at.at(plain.iid, '/approval_rules'), own).expect(201);
  });
  const found = async (query: string) => {
    const { headers } = await as(author)
      .get(`/projects/${at.project.id}/merge_requests?${query}`)
      .expect(200);
    return Number(headers['x-total']);
  };

  it.each(['GET /projects/:id/merge_requests', 'GET /groups/:id/merge_requests', 'GET /merge_requests'])(
    '%s has those whose rules name all of them',
    async (row) => {
      const { id } = row.includes('groups') ? group : at.project;
      const path = row.slice('GET '.length).replace(':id', String(id));
      const ids = async (query: string) =>
        idsOf((await as(author).get(`${path}?scope=all&search=Change&${query}`).expect(200)).body).filter(
          (id) => [mine.id, plain.id].includes(id),
        );
      expect(await ids(`approver_ids[]=${reviewer.id}`)).toEqual([mine.id]);
      expect(await ids(`approver_ids=${reviewer.id},${tester.id}`)).toEqual([mine.id]);
      expect(await ids(`approver_ids[]=${owner.id}`)).toEqual([]);
      expect(await ids('approver_ids=Any')).toEqual([mine.id]);
      expect(await ids('approver_ids[]=none')).toEqual([plain.id]);
    },
  );

  it('GET /projects/:id/merge_requests counts them, by what holds', async () => {
    expect(await found(`approver_ids=${reviewer.id}`)).toBe(1);
    await at.settings({ disable_overriding_approvers_per_merge_request: true });
    expect(await found(`approver_ids=${reviewer.id}`)).toBe(2);
    expect(await found(`approver_ids=${tester.id}`)).toBe(0);
    expect(await found('approver_ids=None')).toBe(0);
  });

  it.each([
    ['approver_ids=1,2,3,4,5,6', 'approver_ids has more than 5 elements'],
    ['approver_ids=me', `approver_ids should be an array of integers, 'None' or 'Any'`],
    ['approver_ids=None,Any', `approver_ids should be an array of integers, 'None' or 'Any'`],
    ['approver_ids[0]=1', 'approver_ids is invalid'],
  ])('refuse %s', async (query, error) => {
    const answer = await as(author).get(`/merge_requests?${query}`);
    expect([answer.status, answer.body]).toEqual([400, { error }]);
  });
});
