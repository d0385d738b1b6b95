import { NamespaceContents } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { whileHeld } from '../../support/held-rows';

const app = useApplication();

const hidden = (id: number): string => `UPDATE projects SET visibility = 'private' WHERE id = ${id}`;

describe('projects and their forks, changed at the same moment', () => {
  let owner: BuiltUser;
  let user: BuiltUser;
  let source: BuiltProject;

  beforeEach(async () => {
    const { build } = app.current;
    [owner, user] = [await build.user(), await build.user()];
    source = await build.project({ owner, visibility: 'public' });
  });

  it('POST /projects/:id/fork makes no fork that shows more than a source that is just being hidden', async () => {
    const api = app.current.as(user);
    const answer = await whileHeld(app.current, hidden(source.id), () =>
      api.post(`/projects/${source.id}/fork`),
    );
    expect([answer.status, answer.body.visibility]).toEqual([201, 'private']);
  });

  it('PUT /projects/:id shows no fork whose source is just being hidden', async () => {
    const api = app.current.as(user);
    const { id } = (await api.post(`/projects/${source.id}/fork`).expect(201)).body;
    await api.put(`/projects/${id}`, { visibility: 'private' }).expect(200);
    const answer = await whileHeld(app.current, hidden(source.id), () =>
      api.put(`/projects/${id}`, { visibility: 'public' }),
    );
    expect([answer.status, Object.keys(answer.body.message)]).toEqual([400, ['visibility_level']]);
  });

  it('DELETE /groups/:id waits for the source of a fork before it takes the fork', async () => {
    const { build, nest, database } = app.current;
    const api = app.current.as(user);
    const group = await build.group({ visibility: 'public', members: { owner: user } });
    const { id } = (await api.post(`/projects/${source.id}/fork`, { namespace_id: group.id }).expect(201))
      .body;
    const removed = await whileHeld(
      app.current,
      hidden(source.id),
      () =>
        nest.get(NamespaceContents, { strict: false }).removeSome(group.id, 10, new AbortController().signal),
      // Whoever hides the source comes to its forks next.
      async () => void (await database.query(`SELECT 1 FROM projects WHERE id = ${id} FOR UPDATE NOWAIT`)),
    );
    expect(removed).toBe(1);
    await api.get(`/projects/${id}`).expect(404);
  });
});
