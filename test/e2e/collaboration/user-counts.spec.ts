import { useApplication } from '../../support/application';

const app = useApplication();

describe('GET /user_counts', () => {
  it('tells how many merge requests wait for the caller', async () => {
    const user = await app.current.build.user();
    const { status, body } = await app.current.as(user).get('/user_counts');
    expect([status, body]).toEqual([200, { merge_requests: 0 }]);
  });

  it('is for those who are signed in, with a scope for it', async () => {
    expect((await app.current.api.get('/user_counts')).body).toEqual({ message: '401 Unauthorized' });
    const files = await app.current.build.user({ scopes: ['read_repository'] });
    expect((await app.current.as(files).get('/user_counts')).status).toBe(403);
  });
});
