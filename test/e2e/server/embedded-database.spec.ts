import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BuiltService, freePort, type RunningProcess } from '../../support/running-server';

/** Whole processes start in here, beside other test files. */
jest.setTimeout(120_000);

/** The one command of the README, without any setting but where and on which port. */
describe('a start without a database server', () => {
  let built: BuiltService;
  let data: string;
  let server: RunningProcess | undefined;
  let cluster = '';

  beforeAll(async () => {
    built = await BuiltService.build();
    data = await fs.mkdtemp(path.join(os.tmpdir(), 'service-data-'));
  });
  afterAll(async () => {
    server?.signal('SIGTERM');
    await server?.ended();
    await fs.rm(data, { recursive: true, force: true });
    if (cluster !== '') await fs.rm(path.dirname(cluster), { recursive: true, force: true });
  });

  it('brings up its own, and loses nothing when killed', async () => {
    const environment = { DATA_DIR: data, PORT: await freePort() };
    const start = async (): Promise<RunningProcess> => {
      server = built.run(environment);
      await server.ready();
      return server;
    };
    const killed = await start();
    cluster = /Database\s+(\S+)/.exec(killed.output)?.[1] ?? '';
    const token = /Token of root\s+(\S+)/.exec(killed.output)?.[1] ?? '';
    await killed.kill();
    await start();
    const answer = await fetch(`http://127.0.0.1:${environment.PORT}/api/v4/user`, {
      headers: { 'private-token': token },
    });
    expect(await answer.json()).toMatchObject({ username: 'root', name: 'Administrator' });
  });
});
