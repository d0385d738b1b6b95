import type { Response } from 'supertest';
import { useApplication } from '../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../support/builders';
import { mergeRequest } from '../support/collaboration-builders';
import { inconsistencies } from './support/consistency';

const TRANSFERS = 12;
const WRITERS = 4;

describe('a project that goes from group to group while others work in it', () => {
  const app = useApplication();
  let owner: BuiltUser;
  let groups: readonly [BuiltGroup, BuiltGroup];
  let project: BuiltProject;
  const milestones: number[] = [];

  beforeAll(async () => {
    const { build } = app.current;
    owner = await build.user();
    groups = [await build.group({ members: { owner } }), await build.group({ members: { owner } })];
    project = await build.project({ namespace: groups[0], files: { 'README.md': 'text' } });
    const api = app.current.as(owner);
    for (const { id } of groups) {
      await api.post(`/groups/${id}/labels`, { name: `of ${id}`, color: '#ff0000' }).expect(201);
      await api.post(`/groups/${id}/labels`, { name: 'of both', color: '#ff0000' }).expect(201);
      milestones.push(
        (await api.post(`/groups/${id}/milestones`, { title: `of ${id}` }).expect(201)).body.id,
      );
    }
  });

  /** Gives an issue and a merge request what the groups lend, and notes, again and again; answers what was answered. */
  async function write(number: number, change: { iid: number }, isOver: () => boolean): Promise<Response[]> {
    const api = app.current.as(owner);
    const at = `/projects/${project.id}`;
    const answers: Response[] = [];
    const opened = await api.post(`${at}/issues`, { title: `Issue ${number}` });
    for (let turn = 0; !isOver(); turn += 1) {
      const group = groups[turn % 2 === 0 ? 0 : 1];
      const marks = {
        title: `Turn ${turn}`,
        labels: `of both,of ${group.id}`,
        milestone_id: milestones[(turn + number) % 2],
      };
      const state = { state_event: turn % 2 === 0 ? 'close' : 'reopen' };
      answers.push(
        await api.put(`${at}/issues/${opened.body.iid}`, { ...marks, ...state }),
        await api.put(`${at}/merge_requests/${change.iid}`, marks),
        await api.post(`${at}/issues`, marks),
        await api.post(`${at}/issues/${opened.body.iid}/notes`, { body: 'Words' }),
      );
    }
    return [opened, ...answers];
  }

  it('refuses nobody, loses nothing, and leaves nothing of a group that it has left', async () => {
    const changes = [];
    for (let number = 0; number < WRITERS; number += 1)
      changes.push(await mergeRequest(app.current, { project, author: owner }));
    let isOver = false;
    const writing = changes.map((change, number) => write(number, change, () => isOver));
    const moved: number[] = [];
    for (let turn = 1; turn <= TRANSFERS; turn += 1) {
      const namespace = groups[turn % 2 === 0 ? 0 : 1].id;
      moved.push((await app.current.as(owner).put(`/projects/${project.id}/transfer`, { namespace })).status);
    }
    isOver = true;
    const answers = (await Promise.all(writing)).flat();
    expect(moved).toEqual(Array.from({ length: TRANSFERS }, () => 200));
    expect(answers.filter(({ status }) => status !== 200 && status !== 201).map(({ text }) => text)).toEqual(
      [],
    );
    expect(answers.length).toBeGreaterThan(WRITERS * TRANSFERS);

    const issues = new Set(
      answers.flatMap(({ body }) => (body.iid && !body.target_branch ? [body.iid] : [])),
    );
    const { rows } = await app.current.database.query('SELECT 1 FROM issues WHERE project_id = $1', [
      project.id,
    ]);
    expect(rows).toHaveLength(issues.size);
    expect(await inconsistencies(app.current.database)).toEqual([]);
  });

  it('takes a milestone along that is being promoted next to it', async () => {
    const api = app.current.as(owner);
    const neighbour = await app.current.build.project({ namespace: groups[0], owner });
    for (let turn = 0; turn < 4; turn += 1) {
      const ids: number[] = [];
      for (const { id } of [neighbour, project]) {
        const { body } = await api.post(`/projects/${id}/milestones`, { title: `turn ${turn}` }).expect(201);
        await api.post(`/projects/${id}/labels`, { name: `turn ${turn}`, color: '#ff0000' }).expect(201);
        await api
          .post(`/projects/${id}/issues`, { title: 'Issue', milestone_id: body.id, labels: `turn ${turn}` })
          .expect(201);
        ids.push(body.id);
      }
      const namespace = groups[turn % 2 === 0 ? 1 : 0].id;
      const answers = await Promise.all([
        api.post(`/projects/${neighbour.id}/milestones/${ids[0] ?? 0}/promote`),
        api.put(`/projects/${neighbour.id}/labels/promote`, { name: `turn ${turn}` }),
        api.put(`/projects/${project.id}/transfer`, { namespace }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await inconsistencies(app.current.database)).toEqual([]);
    }
  });
});
