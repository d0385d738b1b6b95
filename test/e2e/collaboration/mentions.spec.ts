import { GitFixture, until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { branchOf } from '../../support/collaboration-builders';
import { whileHeld } from '../../support/held-rows';
import { NotedThings, type NotedThing } from '../../support/noted-things';

const app = useApplication({ TIER: 'ultimate' });

let things: NotedThings;
/** Developer of the open project and of the secret one. */
let insider: BuiltUser;
/** Reporter of the open project alone. */
let outsider: BuiltUser;
let group: BuiltGroup;
let open: BuiltProject;
let secret: BuiltProject;
beforeAll(async () => {
  const { build } = app.current;
  things = new NotedThings(app.current);
  insider = await build.user();
  outsider = await build.user();
  group = await build.group({ visibility: 'public', members: { developer: insider } });
  const files = { 'a.txt': 'a' };
  open = await build.project({
    namespace: group,
    visibility: 'public',
    members: { reporter: outsider },
    files,
  });
  secret = await build.project({ owner: insider, files });
});

const as = (user: BuiltUser) => app.current.as(user);

interface Read {
  readonly bodies: string[];
  readonly total: string | undefined;
}

/** What the user reads of the system's notes, and the total they are told of all notes. */
async function systemNotes(on: NotedThing, user: BuiltUser): Promise<Read> {
  const { body, headers } = await as(user).get(`${on.notes}?sort=asc&per_page=100`).expect(200);
  const bodies = body.flatMap((note: { system: boolean; body: string }) => (note.system ? [note.body] : []));
  return { bodies, total: headers['x-total'] };
}
const write = (on: NotedThing, body: string, user = insider) => as(user).post(on.notes, { body }).expect(201);

describe('a note that names other things', () => {
  it('leaves a mention on each, once, as it is called there', async () => {
    const target = await things.issue(open, insider);
    const [issue, mergeRequest, snippet, epic] = [
      await things.issue(open, insider),
      await things.mergeRequest(open, insider),
      await things.snippet(open, insider),
      await things.epic(group, insider),
    ];
    for (const source of [issue, issue, mergeRequest, snippet])
      await write(source, `see #${target.iid}, #${target.iid}`);
    await write(epic, `see ${open.fullPath}#${target.iid} and #${target.iid}`);
    await as(insider).post(`${issue.url}/discussions`, {
      body: `again http://service.test/${open.fullPath}/issues/${target.iid}`,
    });
    expect((await systemNotes(target, outsider)).bodies).toEqual([
      `mentioned in issue #${issue.iid}`,
      `mentioned in merge request !${mergeRequest.iid}`,
      `mentioned in snippet $${snippet.id}`,
      `mentioned in epic ${group.fullPath}&${epic.iid}`,
    ]);
    expect(await things.countOf(target)).toBe(0);
    const { body } = await as(outsider).get(target.notes);
    expect(body[0]).toMatchObject({ system: true, author: { id: insider.id }, resolvable: false });
  });

  it('may name all kinds of things', async () => {
    const source = await things.issue(open, insider);
    const targets = [
      await things.mergeRequest(open, insider),
      await things.snippet(open, insider),
      await things.epic(group, insider),
    ];
    const [mergeRequest, snippet, epic] = targets;
    await write(source, `!${mergeRequest?.iid} $${snippet?.id} &${epic?.iid}`);
    const seen = await Promise.all(targets.map((target) => systemNotes(target, outsider)));
    expect(seen.map(({ bodies }) => bodies)).toEqual([
      [`mentioned in issue #${source.iid}`],
      [`mentioned in issue #${source.iid}`],
      [`mentioned in issue ${open.path}#${source.iid}`],
    ]);
  });

  it('names nothing in code, and not itself', async () => {
    const [source, target] = [await things.issue(open, insider), await things.issue(open, insider)];
    await write(source, `\`#${target.iid}\` #${source.iid}\n\`\`\`\n#${target.iid}\n\`\`\``);
    expect((await systemNotes(target, insider)).bodies).toEqual([]);
    expect((await systemNotes(source, insider)).bodies).toEqual([]);
  });

  it('names what was added to it later', async () => {
    const [source, target] = [await things.issue(open, insider), await things.issue(open, insider)];
    const { body: note } = await write(source, 'nothing yet');
    await as(insider)
      .put(`${source.notes}/${note.id}`, { body: `#${target.iid}` })
      .expect(200);
    expect((await systemNotes(target, insider)).bodies).toEqual([`mentioned in issue #${source.iid}`]);
  });

  it('names once what two say at the same time', async () => {
    const [source, target] = [await things.issue(open, insider), await things.issue(open, insider)];
    await Promise.all([1, 2, 3, 4].map(() => write(source, `#${target.iid}`)));
    expect((await systemNotes(target, insider)).bodies).toHaveLength(1);
    expect(await things.countOf(source)).toBe(4);
  });
});

describe('the title and the description', () => {
  const kinds = [
    ['an issue', 'issue #', '/projects/:open/issues', {}],
    [
      'a merge request',
      'merge request !',
      '/projects/:open/merge_requests',
      { source_branch: 'named', target_branch: 'master' },
    ],
    ['an epic', 'epic :group&', '/groups/:group/epics', {}],
  ] as const;

  it.each(kinds)('of %s leave mentions, new and changed', async (_what, name, where, params) => {
    await branchOf(open, { branch: 'named', files: { 'named.txt': 'x' } });
    const targets: NotedThing[] = [];
    for (let number = 0; number < 4; number += 1) targets.push(await things.issue(open, insider));
    const [first, second, third, fourth] = targets.map(({ iid }) => `${open.fullPath}#${iid}`);
    const url = where.replace(':open', String(open.id)).replace(':group', String(group.id));
    const { body: made } = await as(insider)
      .post(url, { ...params, title: `As in ${first}`, description: `And ${second}` })
      .expect(201);
    const change = (changes: object) => as(insider).put(`${url}/${made.iid}`, changes).expect(200);
    await change({ description: `And ${second}, \`${fourth}\`, now ${third}` });
    await change({ title: `As in ${first} and ${fourth}` });
    const mention = `mentioned in ${name.replace(':group', group.fullPath)}${made.iid}`;
    for (const target of targets) expect((await systemNotes(target, outsider)).bodies).toEqual([mention]);
  });
});

describe('what is named at the same time', () => {
  /** A short name would mean something else in an epic. */
  const nameOf = ({ kind, id, iid }: NotedThing): string =>
    ({
      Issue: `${open.fullPath}#${iid}`,
      MergeRequest: `${open.fullPath}!${iid}`,
      Snippet: `${open.fullPath}$${id}`,
      Epic: `${group.fullPath}&${iid}`,
    })[kind];
  const recordOf = (on: NotedThing): string =>
    on.kind === 'Epic' ? `/groups/${group.id}/epics/${on.iid}` : on.url;
  const made: Record<NotedThing['kind'], () => Promise<NotedThing>> = {
    Issue: () => things.issue(open, insider),
    MergeRequest: () => things.mergeRequest(open, insider),
    Snippet: () => things.snippet(open, insider),
    Epic: () => things.epic(group, insider),
  };

  it.each([
    ['Issue', 'Issue'],
    ['MergeRequest', 'MergeRequest'],
    ['Epic', 'Issue'],
    ['Snippet', 'MergeRequest'],
  ] as const)('is named by each other: %s and %s', async (one, other) => {
    const [first, second] = [await made[one](), await made[other]()];
    const edits = [1, 2, 3].flatMap((number) => [
      as(insider).put(recordOf(first), { description: `${number} ${nameOf(second)}` }),
      as(insider).put(recordOf(second), { description: `${number} ${nameOf(first)}` }),
      as(insider).post(first.notes, { body: `${nameOf(second)} ${nameOf(first)}` }),
      as(insider).post(second.notes, { body: `${nameOf(first)} ${nameOf(second)}` }),
    ]);
    for (const { status } of await Promise.all(edits)) expect([200, 201]).toContain(status);
    const mentions = async (on: NotedThing): Promise<number> =>
      (await systemNotes(on, insider)).bodies.filter((body) => body.startsWith('mentioned')).length;
    expect([await mentions(first), await mentions(second)]).toEqual([1, 1]);
  });

  it('may be deleted while issues that name it are opened and closed, which are counted', async () => {
    const place = await app.current.build.project({ owner: insider });
    const issues = `/projects/${place.id}/issues`;
    const made = async (): Promise<number> =>
      (await as(insider).post(issues, { title: 'An issue' }).expect(201)).body.iid;
    const kept = `${issues}/${await made()}`;
    for (let round = 0; round < 4; round += 1) {
      const work = [await made(), await made()].flatMap((iid) => [
        as(insider).post(issues, { title: 'x', description: `#${iid}` }),
        as(insider).delete(`${issues}/${iid}`),
        as(insider).put(kept, { description: `${round} #${iid}`, state_event: 'reopen' }),
        as(insider).post(`${kept}/notes`, { body: `#${iid}\n/close` }),
      ]);
      const done = await Promise.all(work);
      expect(done.map(({ status }) => status)).toEqual([201, 204, 200, 201, 201, 204, 200, 201]);
    }
    const { headers } = await as(insider).get(`${issues}?state=opened`).expect(200);
    const { body: project } = await as(insider).get(`/projects/${place.id}`).expect(200);
    expect(String(project.open_issues_count)).toBe(headers['x-total']);
  });

  it('is not named where it is just being deleted, and the text is written', async () => {
    for (const kind of ['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const) {
      const target = await made[kind]();
      const source = await things.issue(open, insider);
      const table = { Issue: 'issues', MergeRequest: 'merge_requests', Snippet: 'snippets', Epic: 'epics' }[
        kind
      ];
      const deletion = `DELETE FROM ${table} WHERE id = ${target.id}`;
      await whileHeld(app.current, deletion, () => write(source, nameOf(target)));
      expect(await things.countOf(source)).toBe(1);
    }
  });
});

describe('a mention of something hidden', () => {
  it('shows only to those who see where it comes from, and is counted for them alone', async () => {
    const target = await things.issue(open, outsider);
    const sources = [
      await things.issue(secret, insider),
      await things.issue(open, insider, { confidential: true }),
      await things.mergeRequest(secret, insider),
      await things.snippet(open, insider, { visibility: 'private' }),
    ];
    for (const source of sources) await write(source, `${open.fullPath}#${target.iid}`);
    expect(await systemNotes(target, insider)).toMatchObject({ total: '4', bodies: { length: 4 } });
    const guest = await app.current.build.user();
    expect(await systemNotes(target, guest)).toEqual({ total: '0', bodies: [] });
    const { body } = await as(insider).get(target.notes).expect(200);
    for (const { id } of body) {
      await as(guest).get(`${target.notes}/${id}`).expect(404);
      await as(guest).put(`${target.notes}/${id}`, { body: 'x' }).expect(404);
      await as(guest).delete(`${target.notes}/${id}`).expect(404);
      await as(insider).put(`${target.notes}/${id}`, { body: 'x' }).expect(403);
      await as(insider).delete(`${target.notes}/${id}`).expect(403);
    }
    const discussions = await as(insider).get(`${target.url}/discussions`).expect(200);
    expect(discussions.headers['x-total']).toBe('4');
    expect((await as(guest).get(`${target.url}/discussions`).expect(200)).body).toEqual([]);
    const [first] = discussions.body;
    await as(guest).get(`${target.url}/discussions/${first.id}`).expect(404);
    await as(insider).post(`${target.url}/discussions/${first.id}/notes`, { body: 'x' }).expect(400);
  });

  it('is not left where whoever writes may not see the target', async () => {
    const source = await things.issue(open, outsider);
    const hidden = await things.issue(secret, insider);
    const confidential = await things.issue(open, insider, { confidential: true });
    const guest = await app.current.build.user();
    await write(source, `${secret.fullPath}#${hidden.iid} #${confidential.iid}`, guest);
    expect((await systemNotes(hidden, insider)).bodies).toEqual([]);
    expect((await systemNotes(confidential, insider)).bodies).toEqual([]);
  });

  it('goes with what it comes from', async () => {
    const target = await things.issue(open, outsider);
    const source = await things.issue(secret, insider);
    await write(source, `${open.fullPath}#${target.iid}`);
    expect((await systemNotes(target, insider)).bodies).toHaveLength(1);
    await app.current.database.query('DELETE FROM issues WHERE id = $1', [source.id]);
    expect((await systemNotes(target, insider)).bodies).toEqual([]);
  });
});

describe('the message of a commit', () => {
  it('leaves a mention on what it names, once, visible to those who see the code', async () => {
    const target = await things.issue(open, outsider);
    const commit = (project: BuiltProject, branch: string, message: string) =>
      as(insider)
        .post(`/projects/${project.id}/repository/commits`, {
          branch,
          start_branch: 'master',
          commit_message: message,
          actions: [{ action: 'create', file_path: `${branch}.txt`, content: branch }],
        })
        .expect(201);
    const { body: one } = await commit(open, 'one', `Part of #${target.iid}`);
    const { body: other } = await commit(secret, 'two', `Part of ${open.fullPath}#${target.iid}`);
    await until(async () => (await systemNotes(target, insider)).bodies.length === 2);
    const bodies = [`mentioned in commit ${one.id}`, `mentioned in commit ${secret.fullPath}@${other.id}`];
    expect((await systemNotes(target, insider)).bodies.toSorted()).toEqual(bodies.toSorted());
    expect(await systemNotes(target, outsider)).toEqual({ total: '1', bodies: bodies.slice(0, 1) });
  });

  it('is looked at in the hundred newest of a push', async () => {
    const [old, recent] = [await things.issue(open, outsider), await things.issue(open, outsider)];
    const git = GitFixture.on(open.repositoryPath);
    const messages = Array.from({ length: 101 }, (_, index) => `#${index === 0 ? old.iid : recent.iid}`);
    const commits = messages.map(
      (message, index) =>
        `commit refs/heads/aside\ncommitter A <a@example.com> ${index} +0000\ndata ${message.length}\n${message}\n` +
        (index === 0 ? `from ${open.tip}\n` : ''),
    );
    await git.gitBytes(['fast-import', '--quiet'], commits.join(''));
    await as(insider)
      .post(`/projects/${open.id}/repository/branches`, { branch: 'many', ref: 'aside' })
      .expect(201);
    await until(async () => (await systemNotes(recent, insider)).total === '100');
    expect((await systemNotes(old, insider)).bodies).toEqual([]);
  });

  it('is no more than a remark on it can do', async () => {
    const target = await things.issue(open, outsider);
    await as(insider)
      .post(`/projects/${open.id}/repository/commits/${open.tip}/comments`, { note: `as in #${target.iid}` })
      .expect(201);
    expect((await systemNotes(target, outsider)).bodies).toEqual([`mentioned in commit ${open.tip}`]);
  });
});

describe('a text that names commits', () => {
  const mentionsOf = async (project: BuiltProject, sha: string, user: BuiltUser): Promise<string[]> => {
    const { body } = await as(user)
      .get(`/projects/${project.id}/repository/commits/${sha}/discussions`)
      .expect(200);
    return body.flatMap(({ notes }: { notes: { system: boolean; body: string }[] }) =>
      notes.filter(({ system }) => system).map(({ body: said }) => said),
    );
  };
  const tipOf = async (project: BuiltProject): Promise<string> =>
    (await as(insider).get(`/projects/${project.id}/repository/commits/master`).expect(200)).body.id;

  it('leaves a mention on each, once, which is no comment', async () => {
    const sha = await tipOf(open);
    const [issue, mergeRequest] = [
      await things.issue(open, insider),
      await things.mergeRequest(open, insider),
    ];
    await write(issue, `see ${sha.slice(0, 8)}, ${sha} and 0123456789abcdef`);
    await write(issue, `again ${sha}`);
    await write(mergeRequest, `see ${open.fullPath}@${sha}`);
    await until(async () => (await mentionsOf(open, sha, outsider)).length >= 2);
    expect((await mentionsOf(open, sha, outsider)).toSorted()).toEqual([
      `mentioned in issue #${issue.iid}`,
      `mentioned in merge request !${mergeRequest.iid}`,
    ]);
    const comments = await as(outsider)
      .get(`/projects/${open.id}/repository/commits/${sha}/comments`)
      .expect(200);
    const said = comments.body.map(({ note }: { note: string }) => note);
    expect(said.filter((note: string) => note.startsWith('mentioned'))).toEqual([]);
  });

  it('tells it only where its author reads the code, and to those alone who see the text', async () => {
    const [ours, theirs] = [await tipOf(open), await tipOf(secret)];
    const confidential = await things.issue(open, insider, { confidential: true });
    await write(confidential, `see ${ours}`);
    const foreign = await things.issue(open, outsider);
    await write(foreign, `see ${secret.fullPath}@${theirs} and ${ours}`, outsider);
    const ofForeign = `mentioned in issue #${foreign.iid}`;
    await until(async () => (await mentionsOf(open, ours, outsider)).includes(ofForeign));
    await until(async () =>
      (await mentionsOf(open, ours, insider)).includes(`mentioned in issue #${confidential.iid}`),
    );
    const stranger = await app.current.build.user();
    expect(await mentionsOf(open, ours, stranger)).not.toContain(`mentioned in issue #${confidential.iid}`);
    expect(await mentionsOf(secret, theirs, insider)).toEqual([]);
  });
});
