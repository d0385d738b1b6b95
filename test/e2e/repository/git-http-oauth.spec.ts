import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { OAuthFixture, type TestClient } from '../../support/oauth-client';

const app = useApplication();
const run = promisify(execFile);

let folder: string;
let oauth: OAuthFixture;
let client: TestClient;
let user: BuiltUser;
let project: BuiltProject;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'git-oauth-'));
  oauth = new OAuthFixture(app.current);
  client = await oauth.client({ scopes: 'api read_user read_repository write_repository' });
  user = await app.current.build.user();
  project = await app.current.build.project({ owner: user, files: { README: 'hello' } });
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  HOME: os.tmpdir(),
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Pusher',
  GIT_AUTHOR_EMAIL: 'pusher@example.com',
  GIT_COMMITTER_NAME: 'Pusher',
  GIT_COMMITTER_EMAIL: 'pusher@example.com',
};

const git = (...args: string[]) => run('git', args, { cwd: folder, env: ENVIRONMENT });
const remote = (token: string): string => {
  const url = new URL(`${app.current.url}/${project.fullPath}.git`);
  Object.assign(url, { username: 'oauth2', password: token });
  return url.href;
};

describe('git as oauth2 with an access token', () => {
  it('clones and pushes as the person who granted it', async () => {
    const { access_token: token } = await oauth.tokens(client, user, { scope: 'write_repository' });
    await git('clone', '-q', remote(token), 'work');
    await git('-C', 'work', 'commit', '-q', '--allow-empty', '-m', 'By OAuth');
    await git('-C', 'work', 'push', '-q', 'origin', 'HEAD');
    const { body } = await app.current.as(user).get(`/projects/${project.id}/repository/commits`);
    expect(body[0].title).toBe('By OAuth');
  });

  it('does no more than its scopes allow', async () => {
    const { access_token: reader } = await oauth.tokens(client, user, { scope: 'read_repository' });
    await git('clone', '-q', remote(reader), 'reading');
    await git('-C', 'reading', 'commit', '-q', '--allow-empty', '-m', 'No');
    await expect(git('-C', 'reading', 'push', '-q', 'origin', 'HEAD')).rejects.toThrow('403');
    const { access_token: profile } = await oauth.tokens(client, user, { scope: 'read_user' });
    await expect(git('ls-remote', remote(profile))).rejects.toThrow('403');
  });

  it('ends with the token', async () => {
    const { access_token: token } = await oauth.tokens(client, user);
    await git('ls-remote', remote(token));
    await oauth.send('/oauth/revoke', { client_id: client.uid, client_secret: client.secret, token });
    await expect(git('ls-remote', remote(token))).rejects.toThrow('Authentication failed');
  });

  it('is not for applications that act for nobody', async () => {
    const { body } = await oauth.token(client, { grant_type: 'client_credentials' });
    await expect(git('ls-remote', remote(body.access_token))).rejects.toThrow('Authentication failed');
  });
});
