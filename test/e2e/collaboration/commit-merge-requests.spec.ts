import { Cast, READ_ROW } from '../../support/access-row';
import { useApplication } from '../../support/application';

const app = useApplication();

describe('GET /projects/:id/repository/commits/:sha/merge_requests', () => {
  it('is an empty page for a commit of none', async () => {
    const project = await app.current.build.project({ visibility: 'public', files: { a: 'x' } });
    const answer = await app.current.api
      .get(`/projects/${project.id}/repository/commits/master/merge_requests`)
      .expect(200);
    expect([answer.body, answer.headers['x-total']]).toEqual([[], '0']);
  });

  it('finds no unknown commit', async () => {
    const project = await app.current.build.project({ visibility: 'public', files: { a: 'x' } });
    const answer = await app.current.api.get(
      `/projects/${project.id}/repository/commits/nope/merge_requests`,
    );
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Commit Not Found' }]);
  });

  it('is for whoever reads code and merge requests', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const path = (id: number): string => `/projects/${id}/repository/commits/master/merge_requests`;
    expect(await cast.row((api, { id }) => api.get(path(id)))).toEqual(READ_ROW);
    await app.current.database.query(`UPDATE projects SET merge_requests_access = 'disabled' WHERE id = $1`, [
      cast.projects.public.id,
    ]);
    expect((await app.current.as(cast.users.admin).get(path(cast.projects.public.id))).status).toBe(403);
  });
});
