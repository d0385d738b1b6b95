import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { whileHeld } from '../../support/held-rows';

const app = useApplication();

/** A moment at which nothing that is here had been changed yet. */
const soon = (): string => new Date(Date.now() + 60_000).toUTCString();
const CHANGED = `updated_at = now() + interval '1 hour'`;

describe('what is changed while somebody deletes it unless it was changed', () => {
  let owner: BuiltUser;
  beforeAll(async () => {
    owner = await app.current.build.user();
  });

  const deleteUnlessChanged = (path: string) =>
    app.current.as(owner).delete(path).set('If-Unmodified-Since', soon());

  it('DELETE /projects/:id leaves the project', async () => {
    const { id } = await app.current.build.project({ owner });
    const change = `UPDATE projects SET ${CHANGED} WHERE id = ${id}`;
    const answer = await whileHeld(app.current, change, () => deleteUnlessChanged(`/projects/${id}`));
    expect(answer.status).toBe(412);
    await app.current.as(owner).get(`/projects/${id}`).expect(200);
  });

  it('DELETE /projects/:id/hooks/:hook_id leaves the hook', async () => {
    const project = await app.current.build.project({ owner });
    const hooks = `/projects/${project.id}/hooks`;
    const { body } = await app.current
      .as(owner)
      .post(hooks, { url: 'https://hooks.example.com' })
      .expect(201);
    const change = `UPDATE project_hooks SET ${CHANGED} WHERE id = ${body.id}`;
    const answer = await whileHeld(app.current, change, () => deleteUnlessChanged(`${hooks}/${body.id}`));
    expect(answer.status).toBe(412);
    await app.current.as(owner).get(`${hooks}/${body.id}`).expect(200);
  });
});
