import * as client from 'openid-client';
import { useApplication } from '../support/application';
import type { BuiltUser } from '../support/builders';
import { OAuthFixture, type TestClient } from '../support/oauth-client';
import { PageClient } from '../support/page-client';
import { PASSWORD, person } from '../support/person';

/** An unmodified OAuth 2 client takes a person through the pages, gets tokens, uses, renews and returns them. */
const app = useApplication();

/** Clients insist on TLS. As in front of a real service, something else brings it: here, nothing between the two. */
const OUTSIDE = 'https://service.test';
const REDIRECT_URI = 'http://127.0.0.1:9/callback';

let user: BuiltUser;
let oauth: OAuthFixture;
beforeAll(async () => {
  user = await person(app.current);
  oauth = new OAuthFixture(app.current);
});

function configurationOf(
  { uid, secret }: TestClient,
  authentication?: client.ClientAuth,
): client.Configuration {
  const url = OUTSIDE;
  const configuration = new client.Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      introspection_endpoint: `${url}/oauth/introspect`,
    },
    uid,
    secret,
    authentication,
  );
  configuration[client.customFetch] = (address, options) =>
    fetch(address.replace(OUTSIDE, app.current.url), { ...options, body: options.body ?? null });
  return configuration;
}

/** Follows the address as a browser does: signs in, agrees, and is sent back to the client. */
async function consent(address: URL): Promise<URL> {
  const browser = new PageClient(app.current.url);
  const path = `${address.pathname}${address.search}`;
  const away = await browser.get(path);
  expect(away.location).toMatch(/^\/users\/sign_in\?return_to=/);
  const signIn = await browser.get(away.location ?? '');
  const fields = { 'user[login]': user.username, 'user[password]': PASSWORD };
  const back = await browser.submit(signIn, '/users/sign_in', fields);
  expect(back.location).toBe(path);
  const page = await browser.get(back.location ?? '');
  const done = page.status === 302 ? page : await browser.submit(page, '/oauth/authorize');
  expect(done.location).not.toBeNull();
  return new URL(done.location ?? '');
}

const whoIs = async (configuration: client.Configuration, token: string): Promise<unknown> => {
  const url = new URL(`${OUTSIDE}/api/v4/user`);
  return (await client.fetchProtectedResource(configuration, token, url, 'GET')).json();
};

const statusOf = (error: unknown): unknown =>
  error instanceof client.WWWAuthenticateChallengeError || error instanceof client.ResponseBodyError
    ? error.status
    : error;

describe.each([
  ['with its secret in the body', (secret: string) => client.ClientSecretPost(secret)],
  ['with its secret in the header', (secret: string) => client.ClientSecretBasic(secret)],
  ['that has no secret', () => client.None()],
])('a client %s', (how, authentication) => {
  it('completes the code flow with PKCE, refreshes, and gives its tokens back', async () => {
    const confidential = how !== 'that has no secret';
    const registered = await oauth.client({ redirectUri: REDIRECT_URI, confidential });
    const configuration = configurationOf(registered, authentication(registered.secret));
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: REDIRECT_URI,
      scope: 'read_user',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state,
    });

    const arrived = await consent(address);
    const tokens = await client.authorizationCodeGrant(configuration, arrived, {
      pkceCodeVerifier,
      expectedState: state,
    });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read_user', expires_in: 7200 });
    expect(await whoIs(configuration, tokens.access_token)).toMatchObject({ id: user.id });

    const next = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
    expect(await whoIs(configuration, next.access_token)).toMatchObject({ id: user.id });
    if (confidential) {
      const { active } = await client.tokenIntrospection(configuration, next.access_token);
      expect(active).toBe(true);
    }

    await client.tokenRevocation(configuration, next.access_token);
    const refused = await whoIs(configuration, next.access_token).catch(statusOf);
    expect(refused).toBe(401);
    const over = await client.refreshTokenGrant(configuration, next.refresh_token ?? '').catch(statusOf);
    expect(over).toBe(401);
  });
});

describe('a client on its own', () => {
  it('gets a token for itself', async () => {
    const registered = await oauth.client();
    const configuration = configurationOf(registered);
    const tokens = await client.clientCredentialsGrant(configuration, { scope: 'read_user' });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read_user' });
    expect(tokens.refresh_token).toBeUndefined();
  });
});
