import { useApplication } from '../../support/application';

const app = useApplication();

const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${app.current.url}${path}/info/refs?service=git-upload-pack`, { redirect: 'manual', headers });

describe('hostile callers of git over HTTP', () => {
  it.each(['//evil.example/x', '/%2Fevil.example/x', '/%5Cevil.example/x', '/%2f%2fevil.example'])(
    'are not sent to another host by %s',
    async (path) => {
      const answer = await ask(path);
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.status).toBe(404);
    },
  );

  it('are sent to the address with the suffix on this host only', async () => {
    const answer = await ask('/group/project');
    expect(answer.status).toBe(301);
    expect(answer.headers.get('location')).toBe('/group/project.git/info/refs?service=git-upload-pack');
  });

  it('that guess the password of an account are refused even when they find it', async () => {
    const admin = await app.current.build.user({ admin: true });
    const password = 'a long pass phrase';
    const made = await app.current.as(admin).post('/users', {
      email: 'target@example.com',
      username: 'target',
      name: 'Target',
      password,
      skip_confirmation: true,
    });
    expect(made.status).toBe(201);
    const { fullPath } = await app.current.build.project({ visibility: 'internal' });
    const status = async (guess: string): Promise<number> => {
      const authorization = `Basic ${Buffer.from(`target:${guess}`).toString('base64')}`;
      return (await ask(`/${fullPath}.git`, { authorization })).status;
    };
    expect(await status(password)).toBe(200);
    for (let i = 0; i < 10; i += 1) expect(await status(`guess ${i}`)).toBe(401);
    expect(await status(password)).toBe(401);
  });
});
