import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Database, DatabaseModule } from '#libs/database';
import { JobsModule } from '#libs/jobs';
import { createTestDatabase, until, type TestDatabase } from '#libs/testing';
import type { LoggerService } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Delivery } from './delivery.job';
import { ForgottenMails } from './forgotten-mails.job';
import { Mailer, MailModule, type MailOptions } from './index';
import { SmtpServer } from './smtp-server.fixture';

const MAIL = {
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Your link: https://code.example.com/x?token=abc',
};
const RUN = { id: 'job', attempt: 1, isLastAttempt: false, signal: new AbortController().signal };

let logged: unknown[][];
const take = (...entry: unknown[]): void => void logged.push(entry);
const LOG: LoggerService = { log: take, error: take, warn: take };

let store: TestDatabase;
let folder: string;
let node: TestingModule | undefined;

async function start(options: Partial<MailOptions> = {}, work = true): Promise<TestingModule> {
  const { url } = store;
  node = await Test.createTestingModule({
    imports: [
      DatabaseModule.forRoot({ url, poolSize: 4, lockPoolSize: 1 }),
      JobsModule.forRoot({ url, work, pollMs: 60_000 }),
      MailModule.forRoot({ smtpUrl: null, from: 'code@example.com', folder, ...options }),
    ],
  })
    .setLogger(LOG)
    .compile();
  return node.init();
}

const waiting = async (): Promise<{ id: string; attempts: number }[]> =>
  node?.get(Database).manager.query('SELECT id FROM mails') ?? [];

beforeEach(async () => {
  logged = [];
  store = await createTestDatabase();
  folder = path.join(await fs.mkdtemp(path.join(os.tmpdir(), 'mails-')), 'mails');
});

afterEach(async () => {
  await node?.close();
  await store.drop();
  await fs.rm(path.dirname(folder), { recursive: true, force: true });
});

describe('without a mail server', () => {
  const files = async (): Promise<string[]> => {
    await until(async () => (await fs.readdir(folder).catch(() => [])).some((name) => name.endsWith('.eml')));
    return fs.readdir(folder);
  };

  it('a mail becomes a file that its owner alone may read, and the log says where', async () => {
    await (await start()).get(Mailer).send(MAIL);
    const [name = ''] = await files();
    const file = path.join(folder, name);
    await until(async () => (await waiting()).length === 0);
    const text = await fs.readFile(file, 'utf8');
    expect(text).toMatch(/^From: code@example.com$/m);
    expect(text).toMatch(/^To: ada@example.com$/m);
    expect(text).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(text).toContain('\n\nYour link: https://code.example.com/x?token=');
    expect((await fs.stat(folder)).mode & 0o777).toBe(0o700);
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(logged)).toContain(file);
    expect(JSON.stringify(logged)).not.toContain('abc');
  });

  it('long links stay whole, and texts of other scripts legible to mail programs', async () => {
    const mailer = (await start()).get(Mailer);
    const link = `https://code.example.com/x?token=${'a'.repeat(100)}`;
    await mailer.send({ ...MAIL, subject: 'plain', text: `Open\n\n${link}\n\n${'-'.repeat(2_000)}` });
    await mailer.send({ ...MAIL, subject: 'linked', text: `Open\n\n${link}\n` });
    await mailer.send({ ...MAIL, subject: 'foreign', text: `Öffnen Sie ${link}\n` });
    await until(async () => (await waiting()).length === 0);
    const texts = await Promise.all(
      (await files()).map((name) => fs.readFile(path.join(folder, name), 'utf8')),
    );
    const mail = (subject: string): string =>
      texts.find((text) => text.includes(`Subject: ${subject}`)) ?? '';
    expect(mail('linked')).toContain(`\n${link}\n`);
    expect(mail('linked')).toMatch(/^Content-Transfer-Encoding: 7bit$/m);
    // Longer lines than mail servers take.
    for (const subject of ['plain', 'foreign'])
      expect(mail(subject)).toMatch(/^Content-Transfer-Encoding: quoted-printable$/m);
  });

  it('a mail of a transaction that is rolled back never was', async () => {
    const mailer = (await start()).get(Mailer);
    const undone = node?.get(Database).transaction(async () => {
      await mailer.send({ ...MAIL, subject: 'undone' });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await waiting()).toEqual([]);
    await mailer.send({ ...MAIL, subject: 'kept' });
    const names = await files();
    expect(names).toHaveLength(1);
    expect(await fs.readFile(path.join(folder, names[0] ?? ''), 'utf8')).toContain('Subject: kept');
  });

  it('no line break in a subject or an address makes a header, and no comma a second recipient', async () => {
    await (
      await start()
    )
      .get(Mailer)
      .send({ to: 'a@example.com,\r\nBcc: b@example.com', subject: 'x\r\nBcc: c@example.com', text: '' });
    const [name = ''] = await files();
    const text = await fs.readFile(path.join(folder, name), 'utf8');
    expect(text).not.toMatch(/^Bcc:/im);
    expect(text.match(/^To:.*$/gm)).toHaveLength(1);
  });
});

describe('with a mail server', () => {
  let server: SmtpServer;
  beforeEach(async () => {
    server = await SmtpServer.start();
  });
  afterEach(() => server.stop());
  const smtpUrl = (): string => `smtp://me%40here:pa%3Ass@127.0.0.1:${server.port}`;

  it('a mail is handed over in a real conversation, with the credentials of the address', async () => {
    await (await start({ smtpUrl: smtpUrl() })).get(Mailer).send(MAIL);
    await until(() => server.received.length > 0);
    const [received] = server.received;
    expect(received).toMatchObject({
      credentials: 'me@here:pa:ss',
      from: 'code@example.com',
      to: ['ada@example.com'],
    });
    expect(received?.data).toMatch(/^Message-ID: <[0-9a-f-]{36}@example.com>$/m);
    expect(received?.data).toMatch(/^Auto-Submitted: auto-generated$/m);
    await until(async () => (await waiting()).length === 0);
    await expect(fs.access(folder)).rejects.toThrow();
  });

  it('a long link stays whole, and its lines end as the protocol wants it', async () => {
    const link = `https://code.example.com/x?token=${'a'.repeat(100)}`;
    await (await start({ smtpUrl: smtpUrl() })).get(Mailer).send({ ...MAIL, text: `Open\n${link}\n` });
    await until(() => server.received.length > 0);
    expect(server.received[0]?.data).toContain(`\nOpen\n${link}`);
  });

  it('a mail that the server does not take is kept and tried again, with the same Message-ID', async () => {
    await (await start({ smtpUrl: smtpUrl() }, false)).get(Mailer).send(MAIL);
    const [{ id: mailId } = { id: '' }] = await waiting();
    server.refusals.push('451 try later');
    const delivery = node?.get(Delivery);
    await expect(delivery?.run({ mailId }, RUN)).rejects.toThrow('451');
    expect(await waiting()).toHaveLength(1);
    await delivery?.run({ mailId }, { ...RUN, attempt: 2 });
    expect(server.received[0]?.data).toContain(`<${mailId}@example.com>`);
    expect(await waiting()).toEqual([]);
    await delivery?.run({ mailId }, { ...RUN, attempt: 3 });
    expect(server.received).toHaveLength(1);
  });

  it('a mail that nobody takes is given up, which the log says without its text', async () => {
    await (await start({ smtpUrl: smtpUrl() }, false)).get(Mailer).send(MAIL);
    const [{ id: mailId } = { id: '' }] = await waiting();
    server.refusals.push('550 no such user');
    await node?.get(Delivery).run({ mailId }, { ...RUN, isLastAttempt: true });
    expect(await waiting()).toEqual([]);
    expect(JSON.stringify(logged)).toContain('a mail could not be delivered');
    expect(JSON.stringify(logged)).not.toMatch(/abc|pa:ss/);
  });

  it('a mail whose delivery died with its process is removed after a day, and the log says how many', async () => {
    await (await start({ smtpUrl: smtpUrl() }, false)).get(Mailer).send(MAIL);
    await node?.get(ForgottenMails).run();
    expect(await waiting()).toHaveLength(1);
    await node?.get(Database).manager.query("UPDATE mails SET created_at = now() - interval '25 hours'");
    await node?.get(ForgottenMails).run();
    expect(await waiting()).toEqual([]);
    expect(JSON.stringify(logged)).toContain('mails were given up');
  });
});
