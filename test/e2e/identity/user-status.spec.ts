import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

let user: BuiltUser;
beforeAll(async () => {
  user = await app.current.build.user();
});

const NONE = { emoji: null, message: null, message_html: null };
const set = (params: object, by = user) => app.current.as(by).put('/user/status', params);

describe('PUT /user/status', () => {
  it('sets emoji and message, its fields in the order of the specification', async () => {
    const { status, body } = await set({ emoji: 'coffee', message: 'A :cake: is a lie' });
    expect([status, Object.entries(body)]).toEqual([
      200,
      [
        ['emoji', 'coffee'],
        ['message', 'A :cake: is a lie'],
        [
          'message_html',
          'A <gl-emoji title="shortcake" data-name="cake" data-unicode-version="6.0">🍰</gl-emoji> is a lie',
        ],
      ],
    ]);
  });

  it('has a speech balloon where only a message is given', async () => {
    for (const none of [{}, { emoji: '' }, { emoji: null }]) {
      expect((await set({ message: 'hello', ...none })).body).toEqual({
        emoji: 'speech_balloon',
        message: 'hello',
        message_html: 'hello',
      });
    }
  });

  it('replaces the whole status', async () => {
    await set({ emoji: 'coffee', message: 'busy' }).expect(200);
    expect((await set({ emoji: 'beer' })).body).toEqual({ emoji: 'beer', message: null, message_html: '' });
  });

  it.each([{}, { emoji: '', message: '' }, { emoji: null, message: null }, { message: '  ' }])(
    'removes the status by %j',
    async (params) => {
      await set({ message: 'busy' }).expect(200);
      const { status, body } = await set(params);
      expect([status, body]).toEqual([200, NONE]);
      expect((await app.current.as(user).get('/user/status')).body).toEqual(NONE);
    },
  );

  const UNKNOWN = { emoji: ['is not included in the list'] };
  const LONG = { message: ['is too long (maximum is 100 characters)'] };

  it.each([
    [{ emoji: 'no_such_emoji' }, { message: UNKNOWN }],
    [{ emoji: ':coffee:' }, { message: UNKNOWN }],
    [{ emoji: '☕' }, { message: UNKNOWN }],
    [{ emoji: 'constructor', message: 'x' }, { message: UNKNOWN }],
    [{ message: 'x'.repeat(101) }, { message: LONG }],
    [{ emoji: 'none such', message: 'x'.repeat(101) }, { message: { ...UNKNOWN, ...LONG } }],
    [{ emoji: ['coffee', 'beer'] }, { error: 'emoji is invalid' }],
    [{ message: { a: 'b' } }, { error: 'message is invalid' }],
  ])('refuses %j and leaves the status as it was', async (params, body) => {
    const before = await set({ emoji: 'coffee', message: 'busy' });
    const answer = await set(params);
    expect([answer.status, answer.body]).toEqual([400, body]);
    expect((await app.current.as(user).get('/user/status')).body).toEqual(before.body);
  });

  it('counts characters, not bytes', async () => {
    await set({ message: '🎉'.repeat(100) }).expect(200);
    expect((await set({ message: '🎉'.repeat(101) })).status).toBe(400);
  });

  it('escapes what looks like HTML', async () => {
    const { body } = await set({ message: '<script>alert(1)</script> & :heart: <img src=x onerror=y>' });
    expect(body.message).toBe('<script>alert(1)</script> & :heart: <img src=x onerror=y>');
    expect(body.message_html.replace(/<gl-emoji [^<>]*>[^<>]*<\/gl-emoji>/u, '*')).toBe(
      '&lt;script&gt;alert(1)&lt;/script&gt; &amp; * &lt;img src=x onerror=y&gt;',
    );
  });

  it('is the caller’s own, and needs a scope that writes', async () => {
    expect((await app.current.api.put('/user/status', { message: 'x' })).status).toBe(401);
    const reader = await app.current.build.user({ scopes: ['read_user'] });
    expect((await set({ message: 'x' }, reader)).status).toBe(403);
  });
});

describe('GET /user/status', () => {
  it('is the caller’s own, nulls where none is set', async () => {
    const fresh = await app.current.build.user({ scopes: ['read_user'] });
    const { status, body } = await app.current.as(fresh).get('/user/status');
    expect([status, body]).toEqual([200, NONE]);
    expect((await app.current.api.get('/user/status')).status).toBe(401);
  });
});

describe('GET /users/:id_or_username/status', () => {
  it('shows everybody’s status to everybody, by id or username in any letter case', async () => {
    const owner = await app.current.build.user({ username: 'With.Dot' });
    const { body } = await set({ emoji: 'tada', message: 'hi' }, owner);
    for (const name of [owner.id, 'With.Dot', 'with.dot']) {
      for (const api of [app.current.api, app.current.as(user)]) {
        const answer = await api.get(`/users/${name}/status`);
        expect([answer.status, answer.body]).toEqual([200, body]);
      }
    }
    const head = await app.current.api.head(`/users/${owner.id}/status`);
    expect([head.status, head.text]).toEqual([200, undefined]);
  });

  it('has nulls where none is set', async () => {
    const fresh = await app.current.build.user();
    expect((await app.current.api.get(`/users/${fresh.username}/status`)).body).toEqual(NONE);
  });

  it('knows nobody by another name', async () => {
    for (const name of ['0', '99999999', '99999999999999999999', 'nobody', '%27%20or%20true']) {
      const { status, body } = await app.current.api.get(`/users/${name}/status`);
      expect([status, body]).toEqual([404, { message: '404 User Not Found' }]);
    }
  });
});
