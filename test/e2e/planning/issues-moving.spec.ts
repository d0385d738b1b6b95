import fs from 'node:fs/promises';
import path from 'node:path';
import supertest from 'supertest';
import { NoteMoves } from '../../../src/collaboration/notes/note-moves.repository';
import { IssueStates } from '../../../src/planning/issues/issue-states.service';
import { UploadStorage } from '../../../src/repository/uploads/upload-storage';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { useApplication } from '../../support/application';

const app = useApplication();

let reporter: BuiltUser;
let guest: BuiltUser;
let group: BuiltGroup;
let from: BuiltProject;
let to: BuiltProject;

beforeAll(async () => {
  const { build } = app.current;
  reporter = await build.user();
  guest = await build.user();
  group = await build.group({ members: { reporter, guest } });
  from = await build.project({ namespace: group, path: 'here' });
  to = await build.project({ path: 'there', members: { reporter } });
});

const as = (user: BuiltUser) => app.current.as(user);
const issues = ({ id }: BuiltProject) => `/projects/${id}/issues`;

async function opened(fields: object = {}, user = reporter) {
  const { status, body } = await as(user).post(issues(from), { title: 'A bug', ...fields });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body;
}

const move = (iid: number, target: number | string = to.id, user = reporter) =>
  as(user).post(`${issues(from)}/${iid}/move`, { to_project_id: target });

const notes = async (project: BuiltProject, iid: number): Promise<string[]> => {
  const { status, body } = await as(reporter).get(`${issues(project)}/${iid}/notes?sort=asc`);
  expect(status).toBe(200);
  return body.map((note: { body: string }) => note.body);
};

async function upload(): Promise<{ url: string; markdown: string }> {
  const { status, body } = await as(guest)
    .post(`/projects/${from.id}/uploads`)
    .attach('file', Buffer.from('the content'), { filename: 'a file ä.txt' });
  expect(status).toBe(201);
  return body;
}

const content = (project: BuiltProject, url: string, user: BuiltUser) =>
  supertest(app.current.nest.getHttpServer())
    .get(encodeURI(`/${project.fullPath}${url}`))
    .set('private-token', user.token)
    .buffer(true);

describe('POST /projects/:id/issues/:issue_iid/move', () => {
  it('goes on in the other project with what that has of labels and milestones, and closes the old one', async () => {
    await as(reporter).post(issues(to), { title: 'The first one there', labels: 'bug' });
    const there = await as(reporter).get(`/projects/${to.id}/labels`);
    expect(there.body.map(({ name }: { name: string }) => name)).toContain('bug');
    const old = await opened({
      description: 'As #1 and here!2, not `#3`',
      labels: 'bug,only here',
      assignee_ids: [reporter.id],
      due_date: '2030-01-01',
      weight: 4,
    });
    await as(guest).post(`${issues(from)}/${old.iid}/notes`, { body: 'See #1' });
    await as(reporter).post(`${issues(from)}/${old.iid}/add_spent_time`, { duration: '1h' });
    const { status, body } = await move(old.iid);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      project_id: to.id,
      iid: 2,
      title: 'A bug',
      description: `As ${from.fullPath}#1 and ${from.fullPath}!2, not \`#3\``,
      state: 'opened',
      labels: ['bug'],
      assignees: [{ id: reporter.id }],
      author: { id: reporter.id },
      due_date: '2030-01-01',
      weight: 4,
      created_at: old.created_at,
      user_notes_count: 1,
      time_stats: { total_time_spent: 3600 },
      moved_to_id: null,
    });
    const left = await as(reporter).get(`${issues(from)}/${old.iid}`);
    expect(left.body).toMatchObject({ state: 'closed', moved_to_id: body.id });
    expect(await notes(from, old.iid)).toContain(`moved to ${to.fullPath}#2`);
    const copied = await notes(to, 2);
    expect(copied).toContain(`See ${from.fullPath}#1`);
    expect(copied.at(-1)).toBe(`moved from ${from.fullPath}#${old.iid}`);
    const counts = [await as(reporter).get(`/projects/${to.id}`)].map(
      (answer) => answer.body.open_issues_count,
    );
    expect(counts).toEqual([2]);
  });

  it('takes files along, under secrets of their own', async () => {
    const file = await upload();
    const inNote = await upload();
    const old = await opened({ description: `See ${file.markdown}` }, guest);
    await as(guest).post(`${issues(from)}/${old.iid}/notes`, { body: `And ${inNote.markdown}` });
    const { body } = await move(old.iid);
    const [, url = ''] = /\((\/uploads\/[^)]*)\)/.exec(body.description) ?? [];
    expect(url).not.toBe(file.url);
    expect(String((await content(to, decodeURI(url), reporter)).body)).toBe('the content');
    expect((await content(to, decodeURI(url), guest)).status).toBe(404);
    const copied = (await notes(to, body.iid)).find((text) => text.startsWith('And'));
    expect(copied).toMatch(/\/uploads\/[0-9a-f]{32}\//);
    expect(copied).not.toContain(inNote.url);
    // The same bytes: moving things to and fro fills no disk.
    const storage = app.current.nest.get(UploadStorage);
    const placed = (projectId: number, link: string) =>
      fs.stat(storage.locate({ projectId, secret: link.split('/')[2] ?? '' }));
    expect((await placed(to.id, url)).ino).toBe((await placed(from.id, file.url)).ino);
  });

  it('copies files where a disk gives no file two names', async () => {
    const target = await app.current.build.project({ members: { reporter } });
    const old = await opened({ description: (await upload()).markdown });
    const refused = Object.assign(new Error('no'), { code: 'EXDEV' });
    const spy = jest.spyOn(fs, 'link').mockRejectedValueOnce(refused);
    const { body } = await move(old.iid, target.id).expect(201);
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
    expect(String((await content(target, urlIn(body.description), reporter)).body)).toBe('the content');
  });

  const uploadsIn = async ({ id }: BuiltProject): Promise<unknown[]> =>
    (await app.current.database.query('SELECT * FROM uploads WHERE project_id = $1', [id])).rows;
  const urlIn = (text: string): string => decodeURI(/\((\/uploads\/[^)]*)\)/.exec(text)?.[1] ?? '');

  it('gives each project its own files: to its readers alone, and as long as it is there itself', async () => {
    const { build } = app.current;
    const reader = await build.user();
    const left = await build.project({ namespace: group });
    const target = await build.project({ members: { reporter, guest: reader } });
    const { body: file } = await as(guest)
      .post(`/projects/${left.id}/uploads`)
      .attach('file', Buffer.from('the content'), { filename: 'a.txt' });
    const { body: old } = await as(guest).post(issues(left), { title: 'x' }).expect(201);
    await as(guest)
      .post(`${issues(left)}/${old.iid}/notes`, { body: file.markdown })
      .expect(201);
    const { body: made } = await as(reporter)
      .post(`${issues(left)}/${old.iid}/move`, { to_project_id: target.id })
      .expect(201);
    const { body: moved } = await as(reader)
      .get(`${issues(target)}/${made.iid}/notes?sort=asc`)
      .expect(200);
    expect(moved[0]).toMatchObject({ attachment: 'a.txt', author: { id: guest.id } });
    expect((await content(left, file.url, reader)).status).toBe(404);
    expect((await content(target, file.url, reader)).status).toBe(404);
    await app.current.database.query('DELETE FROM projects WHERE id = $1', [left.id]);
    await app.current.nest.get(UploadStorage).removeAll(left.id);
    const kept = await content(target, urlIn(moved[0].body), reader);
    expect([kept.status, String(kept.body)]).toEqual([200, 'the content']);
  });

  it('leaves no file behind where it comes to nothing', async () => {
    const target = await app.current.build.project({ members: { reporter } });
    const old = await opened({ description: (await upload()).markdown });
    const spy = jest
      .spyOn(app.current.nest.get(IssueStates), 'moveAway')
      .mockRejectedValueOnce(new Error('no'));
    expect((await move(old.iid, target.id)).status).toBe(500);
    spy.mockRestore();
    expect(await uploadsIn(target)).toEqual([]);
    const storage = app.current.nest.get(UploadStorage);
    const folder = path.dirname(storage.locate({ projectId: target.id, secret: 'x' }));
    expect(await fs.readdir(folder)).toEqual([]);
    const { body } = await move(old.iid, target.id).expect(201);
    expect((await content(target, urlIn(body.description), reporter)).status).toBe(200);
  });

  it('takes files of several issues along at the same time, and one that is linked to meanwhile', async () => {
    const target = await app.current.build.project({ members: { reporter } });
    const [first, second, late] = [await upload(), await upload(), await upload()];
    const twice = `${second.markdown} ${second.url.replace('a_file', '%61_file')}`;
    const made = [await opened({ description: first.markdown }), await opened({ description: twice })];
    const answers = await Promise.all(made.map(({ iid }) => move(iid, target.id)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await uploadsIn(target)).toHaveLength(2);
    const slow = await opened();
    const discussions = app.current.nest.get(NoteMoves);
    const read = discussions.read.bind(discussions);
    const spy = jest.spyOn(discussions, 'read').mockImplementationOnce(async (on, visit) => {
      await read(on, visit);
      await as(guest)
        .post(`${issues(from)}/${slow.iid}/notes`, { body: late.markdown })
        .expect(201);
    });
    const { body } = await move(slow.iid, target.id).expect(201);
    spy.mockRestore();
    const [note = ''] = await notes(target, body.iid);
    expect((await content(target, urlIn(note), reporter)).status).toBe(200);
    expect(await uploadsIn(target)).toHaveLength(3);
  });

  it.each([
    '![a](/uploads/11111111111111111111111111111111/../../../../../../../../etc/passwd)',
    '![a](/uploads/11111111111111111111111111111111/..%2f..%2f..%2fetc%2fpasswd)',
    '![a](/uploads/11111111111111111111111111111111/%2fetc%2fpasswd)',
    '![a](/uploads/../../etc/passwd) ![b](/uploads/1111/x) ![c](/uploads/%E0%A4%A/x)',
    '![a](/uploads/11111111111111111111111111111111/%E0%A4%A)',
  ])('leaves %s as it is', async (description) => {
    const old = await opened({ description });
    const { status, body } = await move(old.iid);
    expect([status, body.description]).toEqual([201, description]);
  });

  it('takes no file of another project along', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const hidden = await build.project({ owner });
    const { body: file } = await as(owner)
      .post(`/projects/${hidden.id}/uploads`)
      .attach('file', Buffer.from('not yours'), { filename: 'x.txt' });
    const old = await opened({ description: file.markdown });
    expect((await move(old.iid)).body.description).toBe(file.markdown);
  });

  it('moves links and the place in an epic', async () => {
    const [one, two] = [await opened(), await opened()];
    await as(reporter).post(`${issues(from)}/${one.iid}/links`, {
      target_project_id: from.id,
      target_issue_iid: two.iid,
    });
    const { body } = await move(one.iid);
    const links = await as(reporter).get(`${issues(from)}/${two.iid}/links`);
    expect(links.body).toEqual([expect.objectContaining({ id: body.id })]);
  });

  it('happens once when it is asked for twice at a time', async () => {
    const { iid } = await opened();
    const answers = await Promise.all([move(iid), move(iid)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  it.each<[string, () => Promise<{ status: number; body: unknown }>, number, object]>([
    [
      'a guest of the one project',
      async () => move((await opened({}, guest)).iid, to.id, guest),
      404,
      { message: '404 Project Not Found' },
    ],
    [
      'the same project',
      async () => move((await opened()).iid, from.id),
      400,
      { message: 'Cannot move issue to project it originates from!' },
    ],
    [
      'a project that is not there',
      async () => move((await opened()).iid, 999_999),
      404,
      { message: '404 Project Not Found' },
    ],
    ['an issue that is not there', () => move(99_999), 404, { message: '404 Issue Not Found' }],
    [
      'a project by its path',
      async () => move((await opened()).iid, 'a/b'),
      400,
      { error: 'to_project_id is invalid' },
    ],
    [
      'a project of others',
      async () => {
        const other = await app.current.build.project({ visibility: 'public' });
        return move((await opened()).iid, other.id);
      },
      400,
      { message: 'Cannot move issue due to insufficient permissions!' },
    ],
  ])('is refused for %s', async (_name, attempt, status, body) => {
    const answer = await attempt();
    expect([answer.status, answer.body]).toEqual([status, body]);
  });
});

describe('issues that are moved both ways at the same time', () => {
  it('arrive, and are counted where they are', async () => {
    const { build } = app.current;
    const [one, other] = [
      await build.project({ members: { reporter } }),
      await build.project({ members: { reporter } }),
    ];
    const openIn = async (project: BuiltProject): Promise<number> =>
      (await as(reporter).get(`/projects/${project.id}`).expect(200)).body.open_issues_count;
    for (let round = 0; round < 3; round += 1) {
      const there = await as(reporter).post(issues(one), { title: 'There' }).expect(201);
      const back = await as(reporter).post(issues(other), { title: 'Back' }).expect(201);
      const moved = await Promise.all([
        as(reporter).post(`${issues(one)}/${there.body.iid}/move`, { to_project_id: other.id }),
        as(reporter).post(`${issues(other)}/${back.body.iid}/move`, { to_project_id: one.id }),
      ]);
      expect(moved.map(({ status }) => status)).toEqual([201, 201]);
    }
    expect([await openIn(one), await openIn(other)]).toEqual([3, 3]);
  });
});
