import type { Page } from 'playwright-core';
import { useApplication } from '../support/application';
import { accessibilityProblems, useBrowser } from '../support/browser';
import type { BuiltUser } from '../support/builders';
import { Mailbox } from '../support/mailbox';
import { PASSWORD, person } from '../support/person';

const app = useApplication();
const browser = useBrowser();
const FRESH = 'another fine password';

const fillSignIn = async (page: Page, login: string, password: string): Promise<void> => {
  await page.getByLabel('Username or email').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};
const signIn = async (page: Page, user: BuiltUser, password = PASSWORD): Promise<void> => {
  await page.goto('/users/sign_in');
  await fillSignIn(page, user.username, password);
};
const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();

describe('a person with a browser', () => {
  it('signs in, sees who they are, and signs out', async () => {
    const user = await person(app.current);
    const { page, complaints } = await browser.window(app.current);
    await page.goto('/');
    expect(await heading(page)).toBe('Sign in');
    await fillSignIn(page, user.username, PASSWORD);
    expect(await heading(page)).toBe(`Welcome, ${user.name}`);
    await page.getByRole('button', { name: `Sign out ${user.username}` }).click();
    expect(await page.getByRole('status').innerText()).toBe('You are signed out.');
    await page.goto('/-/profile/personal_access_tokens');
    expect(await heading(page)).toBe('Sign in');
    expect(complaints).toEqual([]);
  });

  it('comes back to the page that asked to sign in', async () => {
    const user = await person(app.current);
    const { page } = await browser.window(app.current);
    await page.goto('/-/profile/personal_access_tokens');
    await fillSignIn(page, user.email, PASSWORD);
    expect(await heading(page)).toBe('Personal access tokens');
  });

  it('is told of a wrong password, with the focus on the message', async () => {
    const user = await person(app.current);
    const { page } = await browser.window(app.current);
    await signIn(page, user, 'wrong');
    expect(await page.getByRole('alert').innerText()).toContain('Invalid login or password.');
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
    expect(await page.title()).toBe('Problem: Sign in');
    expect(await page.getByLabel('Username or email').inputValue()).toBe(user.username);
    expect(await page.getByLabel('Password').inputValue()).toBe('');
  });

  it('is locked out after ten failures', async () => {
    const user = await person(app.current);
    const { page } = await browser.window(app.current);
    await page.goto('/users/sign_in');
    for (let i = 0; i < 10; i += 1) await fillSignIn(page, user.username, `wrong ${i}`);
    await fillSignIn(page, user.username, PASSWORD);
    expect(await page.getByRole('alert').innerText()).toContain('There were too many failed attempts.');
  });

  it('makes a token, uses it, and revokes it', async () => {
    const user = await person(app.current);
    const { page, complaints } = await browser.window(app.current);
    await signIn(page, user);
    await page.getByRole('navigation').getByRole('link', { name: 'Access tokens' }).click();
    await page.getByLabel('Name').fill('from the browser');
    await page.getByLabel('Expires on').fill('2999-12-31');
    await page.getByLabel('api', { exact: true }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.locator('#created_token').innerText();

    const ask = (): Promise<Response> =>
      fetch(`${app.current.url}/api/v4/user`, { headers: { 'private-token': token } });
    expect(await (await ask()).json()).toMatchObject({ username: user.username });
    await page.getByRole('button', { name: 'Revoke from the browser' }).click();
    expect(await page.getByRole('status').innerText()).toBe('The token is revoked.');
    expect((await ask()).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('must change a password that an administrator has set', async () => {
    const admin = await app.current.build.user({ admin: true });
    const user = await person(app.current);
    await app.current.as(admin).put(`/users/${user.id}`, { password: 'set by an admin' });
    const { page } = await browser.window(app.current);
    await signIn(page, user, 'set by an admin');
    expect(await heading(page)).toBe('Set up a new password');
    await page.goto('/');
    expect(await heading(page)).toBe('Set up a new password');
    await page.getByLabel('Current password').fill('set by an admin');
    await page.getByLabel('New password', { exact: true }).fill(FRESH);
    await page.getByLabel('New password, once more').fill(FRESH);
    await page.getByRole('button', { name: 'Save password' }).click();
    expect(await heading(page)).toBe(`Welcome, ${user.name}`);
    expect(await page.getByRole('status').innerText()).toContain('Your password is changed.');
  });

  it('confirms the e-mail by the link of the mail', async () => {
    const admin = await app.current.build.user({ admin: true });
    const params = { username: 'grace', name: 'Grace', email: 'grace@example.com', password: PASSWORD };
    await app.current.as(admin).post('/users', params);
    const { page } = await browser.window(app.current);
    await page.goto('/users/sign_in');
    await fillSignIn(page, 'grace', PASSWORD);
    expect(await page.getByRole('alert').innerText()).toContain('You have to confirm your email address');
    await page.goto(await new Mailbox(app.current).find(params.email, /(\/users\/confirmation\?\S+)/));
    expect(await page.getByRole('status').innerText()).toBe('Your email address is confirmed.');
    await fillSignIn(page, 'grace', PASSWORD);
    expect(await heading(page)).toBe('Welcome, Grace');
  });

  it('chooses a new password in place of a forgotten one', async () => {
    const user = await person(app.current);
    const { page } = await browser.window(app.current);
    await page.goto('/users/sign_in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill(user.email);
    await page.getByRole('button', { name: 'Send the mail' }).click();
    expect(await page.getByRole('status').innerText()).toContain('a mail with instructions is on its way');
    await page.goto(await new Mailbox(app.current).find(user.email, /(\/users\/password\/edit\?\S+)/));
    await page.getByLabel('New password', { exact: true }).fill(FRESH);
    await page.getByLabel('New password, once more').fill(FRESH);
    await page.getByRole('button', { name: 'Save password' }).click();
    await fillSignIn(page, user.username, FRESH);
    expect(await heading(page)).toBe(`Welcome, ${user.name}`);
  });

  it('needs no mouse', async () => {
    const user = await person(app.current);
    const { page } = await browser.window(app.current);
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.goto('/users/sign_in');
    await press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await press('Enter', 'Tab');
    await page.keyboard.type(user.username);
    await press('Tab');
    await page.keyboard.type(PASSWORD);
    await Promise.all([page.waitForURL(`${app.current.url}/`), press('Enter')]);

    await page.goto('/-/profile/personal_access_tokens');
    await press('Tab', 'Enter', 'Tab');
    await page.keyboard.type('by keyboard');
    const isOn = (id: string): Promise<unknown> => page.evaluate(`document.activeElement.id === '${id}'`);
    for (let i = 0; i < 10 && !(await isOn('scope_api')); i += 1) await press('Tab');
    await press('Space', 'Enter');
    await page.locator('#created_token').waitFor();
    const isRevoke = `document.activeElement.getAttribute('aria-label') === 'Revoke by keyboard'`;
    await press('Tab', 'Enter');
    for (let i = 0; i < 30 && !(await page.evaluate(isRevoke)); i += 1) await press('Tab');
    await press('Enter');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').innerText()).toBe('The token is revoked.');
  });
});

describe('the pages', () => {
  const PUBLIC = [
    '/users/sign_in',
    '/users/sign_in?notice=signed_out',
    '/users/password/new',
    '/users/password/edit?reset_password_token=none',
    '/users/confirmation/new',
    '/users/confirmation?confirmation_token=none',
  ];
  const PERSONAL = ['/', '/-/profile/personal_access_tokens', '/-/profile/password/edit'];

  it('have no accessibility problems, with messages and without', async () => {
    const user = await person(app.current);
    const { page, complaints } = await browser.window(app.current);
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      for (const problem of await accessibilityProblems(page)) found.push(`${name}: ${problem}`);
    };
    for (const path of PUBLIC) {
      await page.goto(path);
      await look(path);
    }
    await signIn(page, user, 'wrong');
    await look('failed sign-in');
    await signIn(page, user);
    for (const path of PERSONAL) {
      await page.goto(path);
      await look(path);
    }
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.getByLabel('New password, once more').fill('short');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByRole('alert').waitFor();
    await look('failed change of password');
    await page.goto('/-/profile/personal_access_tokens');
    await page.getByLabel('Name').fill('x');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('alert').waitFor();
    await look('failed token');
    await page.getByLabel('api', { exact: true }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.locator('#created_token').waitFor();
    await look('new token');
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('would show accessibility problems if there were any', async () => {
    const { page } = await browser.window(app.current);
    await page.setContent('<img src="x">');
    expect((await accessibilityProblems(page)).join()).toContain('image-alt');
  });

  it('may not be put into a frame of another site', async () => {
    const { page } = await browser.window(app.current);
    await page.route('http://elsewhere.test/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${app.current.url}/users/sign_in"></iframe>`,
      }),
    );
    await page.goto('http://elsewhere.test/');
    const frame = page.frames().find((each) => each !== page.mainFrame());
    expect(await frame?.getByLabel('Username or email').count()).toBe(0);
  });

  it('take no form of another site', async () => {
    const user = await person(app.current);
    const { page } = await browser.window(app.current);
    await signIn(page, user);
    const target = `${app.current.url}/users/sign_out`;
    await page.route('http://elsewhere.test/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${target}"><button>Win</button></form>`,
      }),
    );
    await page.goto('http://elsewhere.test/');
    await page.getByRole('button', { name: 'Win' }).click();
    expect(await heading(page)).toBe('This form is no longer good');
    await page.goto('/');
    expect(await heading(page)).toBe(`Welcome, ${user.name}`);
  });
});
