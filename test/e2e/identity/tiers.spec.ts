import { useApplication } from '../../support/application';

const app = useApplication({ TIER: 'core' });

describe('on the lowest tier', () => {
  const MINUTES = { shared_runners_minutes_limit: 5, extra_shared_runners_minutes_limit: 6 };

  it('users have no minutes and no note', async () => {
    const admin = await app.current.build.user({ admin: true });
    const params = {
      username: 'one',
      email: 'one@example.com',
      name: 'One',
      force_random_password: true,
      ...MINUTES,
    };
    const { status, body } = await app.current.as(admin).post('/users', params);
    expect(status).toBe(201);
    for (const field of [...Object.keys(MINUTES), 'note']) expect(body).not.toHaveProperty(field);
    const { rows } = await app.current.database.query(
      'SELECT shared_runners_minutes_limit, extra_shared_runners_minutes_limit FROM users WHERE id = $1',
      [body.id],
    );
    expect(rows).toEqual([{ shared_runners_minutes_limit: null, extra_shared_runners_minutes_limit: null }]);
  });

  it('groups have no minutes', async () => {
    const user = await app.current.build.user();
    const { status, body } = await app.current.as(user).post('/groups', { name: 'G', path: 'g', ...MINUTES });
    expect(status).toBe(201);
    for (const field of Object.keys(MINUTES)) expect(body).not.toHaveProperty(field);
  });

  it('metadata says that this is no enterprise edition', async () => {
    const user = await app.current.build.user();
    expect((await app.current.as(user).get('/metadata')).body.enterprise).toBe(false);
  });
});
