import fs from 'node:fs/promises';
import { prepareStorages } from '../../../src/startup/database';
import { useApplication } from '../../support/application';

describe('the health endpoints', () => {
  const application = useApplication();

  beforeAll(() => prepareStorages(application.current.settings));

  it.each(['/-/liveness', '/-/readiness', '/-/health'])(
    '%s is fine, without a login and for HEAD too',
    async (path) => {
      const { api } = application.current;
      const answer = await api.get(path);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ status: 'ok' });
      expect(answer.headers['cache-control']).toBe('no-store');
      expect((await api.head(path)).status).toBe(200);
    },
  );

  it('readiness names what it has looked at', async () => {
    const { body } = await application.current.api.get('/-/readiness');
    expect(body).toEqual({ status: 'ok', checks: { database: 'ok', storage_default: 'ok' } });
  });

  it('readiness fails while a storage is away, naming it but not its path', async () => {
    const { api, settings } = application.current;
    const directory = settings.repositoryStorages.get('default') ?? '';
    await fs.rename(directory, `${directory}-away`);
    const answer = await api.get('/-/readiness');
    await fs.rename(`${directory}-away`, directory);
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({ status: 'failed', checks: { database: 'ok', storage_default: 'failed' } });
    expect((await api.get('/-/readiness')).status).toBe(200);
  });

  it('other methods are refused', async () => {
    const answer = await application.current.api.post('/-/health');
    expect(answer.status).toBe(405);
  });
});
