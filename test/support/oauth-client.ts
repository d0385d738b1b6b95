import { createHash, randomBytes } from 'node:crypto';
import supertest, { type Response } from 'supertest';
import { Authorizations } from '../../src/identity/identity.api';
import type { TestApplication } from './application';
import type { BuiltUser } from './builders';

export interface TestClient {
  readonly id: number;
  readonly uid: string;
  readonly secret: string;
  readonly redirectUri: string;
}

export const VERIFIER = 'v'.repeat(43);
export const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** What an OAuth 2 client and the person before it do, in requests. */
export class OAuthFixture {
  constructor(private readonly app: TestApplication) {}

  /** Registered by an administrator. */
  async client(
    options: { redirectUri?: string; scopes?: string; confidential?: boolean; trusted?: boolean } = {},
  ): Promise<TestClient> {
    const redirectUri = options.redirectUri ?? 'https://client.example/callback';
    const admin = await this.app.build.user({ admin: true });
    const { status, body } = await this.app.as(admin).post('/applications', {
      name: `Client ${randomBytes(3).toString('hex')}`,
      redirect_uri: redirectUri,
      scopes: options.scopes ?? 'api read_user',
      confidential: options.confidential ?? true,
      trusted: options.trusted ?? false,
    });
    if (status !== 201) throw new Error(`the client was not registered: ${JSON.stringify(body)}`);
    return { id: body.id, uid: body.application_id, secret: body.secret, redirectUri };
  }

  /** A POST of a form to one of the endpoints for clients. */
  send(path: string, form: Readonly<Record<string, string>>): supertest.Test {
    return supertest(this.app.nest.getHttpServer()).post(path).type('form').send(form);
  }

  /** As `send` to the token endpoint, with the client's secret in the body. */
  token(client: TestClient | null, form: Readonly<Record<string, string>>): supertest.Test {
    const own = client ? { client_id: client.uid, client_secret: client.secret } : {};
    return this.send('/oauth/token', { ...own, ...form });
  }

  info(token: string): Promise<Response> {
    return supertest(this.app.nest.getHttpServer())
      .get('/oauth/token/info')
      .set('authorization', `Bearer ${token}`)
      .then((response) => response);
  }

  /** What the consent page does once the person has agreed: the code. */
  async code(
    client: TestClient,
    user: BuiltUser,
    more: Readonly<Record<string, string>> = {},
    { isAdmin } = { isAdmin: false },
  ): Promise<string> {
    const query = { ...this.query(client), ...more };
    const verdict = await this.app.nest.get(Authorizations).approve({ id: user.id, isAdmin }, query);
    if (verdict.kind !== 'redirected') throw new Error(`no redirect but ${JSON.stringify(verdict)}`);
    const code = new URL(verdict.location).searchParams.get('code');
    if (code === null) throw new Error(`no code in ${verdict.location}`);
    return code;
  }

  query(client: TestClient): Record<string, string> {
    return { client_id: client.uid, redirect_uri: client.redirectUri, response_type: 'code' };
  }

  /** A code exchanged. */
  async tokens(
    client: TestClient,
    user: BuiltUser,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ access_token: string; refresh_token: string }> {
    const { status, body } = await this.exchange(client, await this.code(client, user, more));
    if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
    return body;
  }

  exchange(client: TestClient, code: string, more: Readonly<Record<string, string>> = {}): supertest.Test {
    return this.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      ...more,
    });
  }

  refresh(
    client: TestClient | null,
    refreshToken: string,
    more: Readonly<Record<string, string>> = {},
  ): supertest.Test {
    return this.token(client, { grant_type: 'refresh_token', refresh_token: refreshToken, ...more });
  }

  /** Status of GET /user with the token. */
  async use(token: string): Promise<number> {
    return (await this.app.api.with({ authorization: `Bearer ${token}` }).get('/user')).status;
  }
}
