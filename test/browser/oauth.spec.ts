import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { useApplication } from '../support/application';
import type { BuiltUser } from '../support/builders';
import { accessibilityProblems, useBrowser } from '../support/browser';
import { OAuthFixture, type TestClient } from '../support/oauth-client';
import { PASSWORD, person } from '../support/person';

const app = useApplication();
const browser = useBrowser();

/** The application's own site: shows where it was called. */
let site: Server;
let siteUrl: string;
let oauth: OAuthFixture;
let client: TestClient;
let user: BuiltUser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  site = createServer((request, response) => {
    // As many applications do, it goes on to another address once it has the code.
    const arrived = request.url?.startsWith('/callback') === true;
    const next = request.url?.replace('/callback', '/welcome') ?? '/';
    response.writeHead(arrived ? 302 : 200, {
      ...(arrived && { location: next }),
      'content-type': 'text/html; charset=utf-8',
    });
    response.end('<!doctype html><html lang="en"><title>Client</title><h1>The application</h1></html>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  if (typeof address !== 'object' || address === null) throw new Error('the site does not listen');
  siteUrl = `http://localhost:${address.port}`;
  oauth = new OAuthFixture(app.current);
  client = await oauth.client({ redirectUri: `${siteUrl}/callback`, scopes: 'api read_user' });
});
afterAll(() => new Promise((resolve) => site.close(resolve)));
beforeEach(async () => {
  user = await person(app.current);
  ({ page, complaints } = await browser.window(app.current));
});
afterEach(() => expect(complaints).toEqual([]));

const consentAddress = (): string =>
  `${app.current.url}/oauth/authorize?${new URLSearchParams({
    ...oauth.query(client),
    scope: 'read_user',
    state: 'mine',
  }).toString()}`;

async function signIn(): Promise<void> {
  await page.getByLabel('Username or email').fill(user.username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** By the keyboard alone: from where the focus is to the control of that name. */
async function tabTo(name: string): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) > 0 && (await focused.innerText()).trim() === name) return;
  }
  throw new Error(`no way to ${name} by the Tab key`);
}

const codeOf = (): string => new URL(page.url()).searchParams.get('code') ?? '';

describe('giving an application consent', () => {
  it('goes from the application by sign-in and consent back to it, with a code that works', async () => {
    await page.goto(consentAddress());
    await signIn();
    await page.getByRole('heading', { name: /act for you\?$/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(/\/welcome\?/);
    expect(await page.getByRole('heading').innerText()).toBe('The application');
    expect(new URL(page.url()).searchParams.get('state')).toBe('mine');
    const { body } = await oauth.exchange(client, codeOf());
    expect(await oauth.use(body.access_token)).toBe(200);
  });

  it('asks no second time, not even those who have to sign in first', async () => {
    await oauth.tokens(client, user, { scope: 'read_user' });
    await page.goto(consentAddress());
    await signIn();
    await page.waitForURL(/\/welcome\?/);
    expect(codeOf()).toMatch(/^[0-9a-f]{40}$/);
  });

  it('can be refused, by keyboard alone', async () => {
    await page.goto(consentAddress());
    await signIn();
    await page.getByRole('heading', { name: /act for you\?$/ }).waitFor();
    await tabTo('Deny');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/welcome\?error=access_denied/);
    expect(codeOf()).toBe('');
  });

  it('stays here, and says so, when the application is not what it says', async () => {
    await page.goto(`${consentAddress()}&redirect_uri=https://evil.example/`);
    await signIn();
    await page.getByRole('heading', { name: 'The application is not set up properly' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(new URL(page.url()).origin).toBe(app.current.url);
  });
});

describe('the applications page', () => {
  it('registers, changes and deletes an application of one’s own', async () => {
    await page.goto('/-/profile/applications');
    await signIn();
    await page.getByRole('heading', { name: 'Register an application' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByLabel('Name').fill('My reports');
    await page.getByLabel('Redirect URI').fill('http://reports.example/back');
    await page.getByRole('checkbox', { name: 'read_user' }).check();
    await page.getByRole('button', { name: 'Register application' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('must use https');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.getByRole('checkbox', { name: 'read_user' }).isChecked()).toBe(true);

    await page.getByLabel('Redirect URI').fill('https://reports.example/back');
    await page.getByRole('button', { name: 'Register application' }).click();
    const secret = await page.locator('#client_secret').innerText();
    expect(secret).toMatch(/^[0-9a-f]{40}$/);
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('link', { name: 'All applications' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Edit My reports' }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Name').fill('Renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The application is changed.').waitFor();

    await page.getByRole('link', { name: 'Edit Renamed' }).click();
    await page.getByRole('button', { name: 'Delete application' }).click();
    await page.getByText('The application is deleted').waitFor();
    expect(await page.getByRole('link', { name: /^Edit/ }).count()).toBe(0);
  });

  it('shows what acts for the person, and ends it', async () => {
    const { access_token: token } = await oauth.tokens(client, user);
    await page.goto('/-/profile/applications');
    await signIn();
    await page.getByRole('button', { name: /^Revoke Client/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: /^Revoke Client/ }).click();
    await page.getByText('The application can no longer act for you.').waitFor();
    expect(await oauth.use(token)).toBe(401);
  });
});
