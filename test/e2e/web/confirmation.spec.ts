import { useApplication } from '../../support/application';
import { Mailbox } from '../../support/mailbox';
import { PageClient } from '../../support/page-client';
import { PASSWORD } from '../../support/person';

const app = useApplication();
const LINK = /(\/users\/confirmation\?confirmation_token=\w+)/;

describe('an account that an administrator opens', () => {
  it('is confirmed by the link in its mail, which works once', async () => {
    const admin = await app.current.build.user({ admin: true });
    const params = { username: 'fresh', name: 'Fresh', email: 'fresh@example.com', password: PASSWORD };
    expect((await app.current.as(admin).post('/users', params)).status).toBe(201);
    const browser = new PageClient(app.current.url);
    expect((await browser.signIn('fresh', PASSWORD)).text).toContain(
      'You have to confirm your email address',
    );

    const link = await new Mailbox(app.current).find('fresh@example.com', LINK);
    expect((await browser.get(link)).location).toBe('/users/sign_in?notice=confirmed');
    expect((await browser.get('/users/sign_in?notice=confirmed')).text).toContain(
      'Your email address is confirmed.',
    );
    expect((await browser.signIn('fresh', PASSWORD)).status).toBe(303);
    const again = await browser.get(link);
    expect([again.status, again.text.includes('This link no longer works')]).toEqual([422, true]);
  });

  it('gets the mail again on demand, and the answer tells nobody whether it was sent', async () => {
    const admin = await app.current.build.user({ admin: true });
    const params = { username: 'late', name: 'Late', email: 'late@example.com', password: PASSWORD };
    await app.current.as(admin).post('/users', params);
    const mailbox = new Mailbox(app.current);
    const first = await mailbox.find('late@example.com', LINK);
    await app.current.database.query(
      `UPDATE users SET confirmation_sent_at = now() - interval '5 minutes' WHERE username = 'late'`,
    );
    const browser = new PageClient(app.current.url);
    const ask = async (email: string) =>
      browser.submit(await browser.get('/users/confirmation/new'), '/users/confirmation', {
        'user[email]': email,
      });
    for (const email of ['late@example.com', 'nobody@example.com', admin.email])
      expect((await ask(email)).location).toBe('/users/sign_in?notice=confirmation_sent');
    await mailbox.find('late@example.com', new RegExp(`(confirmation_token=(?!${first.split('=')[1]})\\w+)`));
    expect(await mailbox.of(admin.email)).toEqual([]);
    expect((await ask('nobody')).status).toBe(422);
  });
});
