import { setTimeout as sleep } from 'node:timers/promises';
import { Authorizations } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { OAuthFixture, type TestClient } from '../../support/oauth-client';

const app = useApplication();

let oauth: OAuthFixture;
let client: TestClient;
let user: BuiltUser;
beforeEach(async () => {
  oauth = new OAuthFixture(app.current);
  client = await oauth.client();
  user = await app.current.build.user();
});

/** Until somebody waits for what this connection has locked. */
async function somebodyWaits(): Promise<void> {
  const text = 'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';
  while ((await app.current.database.query(text)).rowCount === 0) await sleep(10);
}

/** Does the work at the very moment at which the application is deleted; answers what the work does. */
async function whileDeleted<T>(work: () => PromiseLike<T>): Promise<T> {
  const { database } = app.current;
  await database.query('BEGIN');
  await database.query('DELETE FROM oauth_applications WHERE id = $1', [client.id]);
  const done = Promise.resolve(work());
  await somebodyWaits();
  await database.query('COMMIT');
  return done;
}

describe('an application that is deleted at this moment', () => {
  it('gets no token for itself', async () => {
    const { status, body } = await whileDeleted(() =>
      oauth.token(client, { grant_type: 'client_credentials' }),
    );
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('gets no token for a password', async () => {
    const admin = await app.current.build.user({ admin: true });
    const account = {
      username: 'rider',
      email: 'rider@example.com',
      name: 'Rider',
      password: 'zwölf pferde',
    };
    await app.current.as(admin).post('/users', { ...account, skip_confirmation: true });
    const { username, password } = account;
    const { status, body } = await whileDeleted(() =>
      oauth.token(client, { grant_type: 'password', username, password }),
    );
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('gets no token for a code', async () => {
    const code = await oauth.code(client, user);
    const { status, body } = await whileDeleted(() => oauth.exchange(client, code));
    expect([status, body.error]).toEqual([401, 'invalid_grant']);
  });

  it('gets no token for a refresh token', async () => {
    const { refresh_token: token } = await oauth.tokens(client, user);
    const { status, body } = await whileDeleted(() => oauth.refresh(client, token));
    expect([status, body.error]).toEqual([401, 'invalid_grant']);
  });

  it('gets no code: the person stays here', async () => {
    const person = { id: user.id, isAdmin: false };
    const verdict = await whileDeleted(() =>
      app.current.nest.get(Authorizations).approve(person, oauth.query(client)),
    );
    expect(verdict).toEqual({ kind: 'refused', reason: 'No application has this client ID.' });
  });
});
