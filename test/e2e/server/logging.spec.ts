import { Writable } from 'node:stream';
import { createLog } from '../../../src/logging/log';
import { NestLog } from '../../../src/logging/nest-log';
import { accessLog } from '../../../src/logging/access-log';
import { startApplication, type TestApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

type Line = Record<string, unknown>;

function collected(): { target: Writable; lines: () => Line[]; text: () => string } {
  let text = '';
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return {
    target,
    text: () => text,
    lines: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line): Line => JSON.parse(line)),
  };
}

describe('the access log', () => {
  const written = collected();
  let application: TestApplication;
  let user: BuiltUser;

  beforeAll(async () => {
    application = await startApplication({}, (nest) =>
      nest.use(accessLog(createLog('info', written.target))),
    );
    user = await application.build.user();
  });
  afterAll(() => application.close());

  const lineOf = async (send: () => PromiseLike<unknown>): Promise<Line> => {
    const before = written.lines().length;
    await send();
    while (written.lines().length === before) await new Promise((resolve) => setImmediate(resolve));
    return written.lines().at(-1) ?? {};
  };

  it('has one line for a request, with who, what and how long', async () => {
    const line = await lineOf(() =>
      application.as(user).with({ 'x-request-id': 'mine-42' }).get('/user?with=this'),
    );
    expect(line).toMatchObject({
      level: 'info',
      method: 'GET',
      path: '/api/v4/user?with=this',
      status: 200,
      userId: user.id,
      requestId: 'mine-42',
      durationMs: expect.any(Number),
      address: expect.stringContaining('127.0.0.1'),
    });
    expect(Number(line['bytes'])).toBeGreaterThan(100);
  });

  it('has a line for refused and unknown requests too', async () => {
    expect(await lineOf(() => application.api.get('/user'))).toMatchObject({ status: 401, userId: null });
    expect(await lineOf(() => application.api.get('/nowhere'))).toMatchObject({ status: 404 });
  });

  it('never holds a secret, however it was sent', async () => {
    const secret = 'Very-Secret-Value';
    const ways: (() => PromiseLike<unknown>)[] = [
      () => application.api.with({ 'private-token': secret }).get('/user'),
      () => application.api.with({ authorization: `Bearer ${secret}` }).get('/user'),
      () => application.api.with({ 'job-token': secret }).get('/user'),
      () => application.api.with({ cookie: `_service_session=${secret}` }).get('/user'),
      () => application.api.get(`/user?private_token=${secret}`),
      () => application.api.get(`/user?a=b&access_token=${secret}`),
      () => application.api.get(`/user?%70rivate_token=${secret}`),
      () => application.api.get(`/user?user[password]=${secret}`),
      () => application.api.post('/users', { password: secret }),
    ];
    for (const send of ways) await lineOf(send);
    expect(written.text()).not.toContain(secret);
    expect(written.text()).toContain('private_token=[redacted]');
  });
});

describe('the log', () => {
  it('keeps secrets of whatever is logged to itself', () => {
    const { target, text } = collected();
    const log = createLog('info', target);
    log.info(
      {
        headers: { authorization: 'hush-1', cookie: 'hush-2', 'private-token': 'hush-3' },
        password: 'hush-4',
      },
      'all of it',
    );
    log.info(
      { settings: { initialRootToken: 'hush-5', databaseUrl: 'postgres://me:hush-6@host/db' } },
      'more',
    );
    expect(text()).not.toContain('hush');
    expect(text()).toContain('all of it');
  });

  it('leaves out what is below its level', () => {
    const { target, text } = collected();
    createLog('warn', target).info('quiet');
    expect(text()).toBe('');
  });

  it("takes what Nest's loggers write: fields, texts, errors and the name of the class", () => {
    const { target, lines } = collected();
    const log = new NestLog(createLog('debug', target));
    log.warn({ err: new Error('away') }, 'could not be noted', 'Caller');
    log.error('Broken', 'Error: stack', 'Worker');
    log.log('Mapped a route', 'RouterExplorer');
    expect(lines()).toMatchObject([
      { level: 'warn', context: 'Caller', msg: 'could not be noted', err: { message: 'away' } },
      { level: 'error', context: 'Worker', msg: 'Broken Error: stack' },
      { level: 'debug', context: 'RouterExplorer' },
    ]);
  });
});
