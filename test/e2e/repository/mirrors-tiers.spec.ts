import { until } from '#libs/testing';
import { useApplication } from '../../support/application';

const app = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true', TIER: 'core' });

describe('mirrors without a licence for them', () => {
  it('do not exist, but projects are imported', async () => {
    const owner = await app.current.build.user();
    const upstream = await app.current.build.project({ visibility: 'public', files: { README: 'x' } });
    const importUrl = `${app.current.url}/${upstream.fullPath}.git`;
    const api = app.current.as(owner);
    const { body } = await api
      .post('/projects', { name: 'imported', import_url: importUrl, mirror: true, mirror_user_id: 1 })
      .expect(201);
    expect(body).toMatchObject({ mirror: false });
    await until(async () => (await api.get(`/projects/${body.id}`)).body.import_status === 'finished');
    const changed = await api.put(`/projects/${body.id}`, { mirror: true, description: 'd' }).expect(200);
    expect(changed.body).toMatchObject({ mirror: false, description: 'd', import_status: 'finished' });
    expect((await api.post(`/projects/${body.id}/mirror/pull`)).status).toBe(404);
  });
});
