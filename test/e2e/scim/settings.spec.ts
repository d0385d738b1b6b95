import { createHash } from 'node:crypto';
import { startApplication, useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';
import { person, provider, scimClient } from '../../support/scim-client';

const app = useApplication();

let owner: BuiltUser;
let group: BuiltGroup;
beforeAll(async () => {
  owner = await app.current.build.user();
});
beforeEach(async () => {
  group = await app.current.build.group({ members: { owner } });
});

const api = (user: { token: string } = owner) => app.current.as(user);
const scim = (of: BuiltGroup = group): string => `/groups/${of.id}/scim`;
const sso = (of: BuiltGroup = group): string => `/groups/${of.id}/saml_provider`;
const FINGERPRINT = '54:8F:13:59:59:C7:2F:4C:8A:1B:2C:3D:4E:5F:60:71:82:93:A4:B5';

describe('PUT /groups/:id/scim', () => {
  it('switches SCIM on and shows the token this once', async () => {
    const { status, body } = await api().put(scim(), { enabled: true });
    expect(status).toBe(200);
    expect(body).toEqual({
      enabled: true,
      scim_api_endpoint_url: `http://service.test/api/scim/v2/groups/${group.fullPath}`,
      token: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect((await api().get(scim())).body).toEqual({
      enabled: true,
      scim_api_endpoint_url: body.scim_api_endpoint_url,
    });
  });

  it('keeps the digest of the token alone', async () => {
    const { token } = await provider(app.current, owner, group);
    const { rows } = await app.current.database.query('SELECT * FROM scim_tokens WHERE group_id = $1', [
      group.id,
    ]);
    expect(rows[0].digest).toEqual(createHash('sha256').update(token).digest());
    expect(JSON.stringify(rows)).not.toContain(token);
    const { rows: audits } = await app.current.database.query('SELECT * FROM audit_events');
    expect(JSON.stringify(audits)).not.toContain(token);
  });

  it('is enough to provision: single sign-on is on, with settings to be completed', async () => {
    const { scim: client } = await provider(app.current, owner, group);
    expect((await client.create(person('first'))).status).toBe(201);
    expect((await api().get(sso())).body).toEqual({
      sso_url: null,
      certificate_fingerprint: null,
      enabled: true,
    });
  });

  it('replaces the token, and revokes it', async () => {
    const { token: first } = await provider(app.current, owner, group);
    const { token: second } = await provider(app.current, owner, group);
    const list = async (token: string) =>
      (await scimClient(app.current, group, token).get('?count=1')).status;
    expect([await list(first), await list(second)]).toEqual([401, 200]);
    const off = await api().put(scim(), { enabled: false });
    expect([off.status, off.body]).toEqual([
      200,
      {
        enabled: false,
        scim_api_endpoint_url: `http://service.test/api/scim/v2/groups/${group.fullPath}`,
        token: null,
      },
    ]);
    expect(await list(second)).toBe(401);
    expect((await api().get(scim())).body.enabled).toBe(false);
  });

  it('logs who did it, and from where', async () => {
    await api().put(scim(), { enabled: true });
    await api().put(scim(), { enabled: false });
    await api().put(sso(), { sso_url: 'https://idp.example/sso' });
    const { rows } = await app.current.database.query(
      'SELECT actor_kind, actor_id, action, address FROM audit_events WHERE group_id = $1 ORDER BY id',
      [group.id],
    );
    const by = {
      actor_kind: 'user',
      actor_id: String(owner.id),
      address: expect.stringContaining('127.0.0.1'),
    };
    expect(rows).toEqual([
      { ...by, action: 'scim.enabled' },
      { ...by, action: 'scim.disabled' },
      { ...by, action: 'saml_provider.changed' },
    ]);
  });

  it('needs enabled, as a boolean', async () => {
    for (const wrong of [{}, { enabled: null }, { enabled: 'maybe' }, { enabled: [true] }, { enabled: {} }])
      expect((await api().put(scim(), wrong)).status).toBe(400);
  });

  it('gives one token to two owners who switch it on at once', async () => {
    const answers = await Promise.all([1, 2].map(() => provider(app.current, owner, group)));
    const statuses = await Promise.all(
      answers.map(async ({ scim: client }) => (await client.get('?count=1')).status),
    );
    expect(statuses.sort()).toEqual([200, 401]);
  });

  it('gives a URL that works for a group in groups', async () => {
    const inner = await app.current.build.group({ parent: group, members: { owner } });
    const { body } = await api().put(scim(inner), { enabled: true });
    const { pathname } = new URL(body.scim_api_endpoint_url);
    const bearer = app.current.api.with({ authorization: `Bearer ${body.token}` });
    expect((await bearer.get(`${pathname}/Users?count=1`)).status).toBe(200);
    const encoded = `/api/scim/v2/groups/${encodeURIComponent(inner.fullPath)}`;
    expect((await bearer.get(`${encoded}/Users?count=1`)).status).toBe(200);
    expect(
      (
        await bearer.get(
          `${encoded.toUpperCase().replace('/API/SCIM/V2/GROUPS', '/api/scim/v2/groups')}/Users?count=1`,
        )
      ).status,
    ).toBe(200);
  });
});

describe('GET /groups/:id/scim', () => {
  it('says that SCIM is off where nobody has switched it on', async () => {
    const { status, body } = await api().get(scim());
    expect([status, body.enabled, 'token' in body]).toEqual([200, false, false]);
  });
});

describe('PUT /groups/:id/saml_provider', () => {
  it('sets what is given and keeps the rest', async () => {
    const first = await api().put(sso(), { sso_url: 'https://idp.example/sso' });
    expect([first.status, first.body]).toEqual([
      200,
      { sso_url: 'https://idp.example/sso', certificate_fingerprint: null, enabled: true },
    ]);
    const fingerprint = FINGERPRINT.toLowerCase().replaceAll(':', '');
    const second = await api().put(sso(), { certificate_fingerprint: fingerprint, enabled: false });
    expect(second.body).toEqual({
      sso_url: 'https://idp.example/sso',
      certificate_fingerprint: FINGERPRINT,
      enabled: false,
    });
    expect((await api().get(sso())).body).toEqual(second.body);
  });

  it.each([
    { sso_url: 'javascript:alert(1)' },
    { sso_url: 'ftp://idp.example' },
    { sso_url: 'https://' },
    { sso_url: 'https://user:secret@idp.example' },
    { sso_url: '' },
    { sso_url: ['https://a.example'] },
    { sso_url: `https://idp.example/${'x'.repeat(2_048)}` },
    { certificate_fingerprint: 'xyz' },
    { certificate_fingerprint: FINGERPRINT.slice(3) },
    { enabled: 'maybe' },
    {},
  ])('refuses %j', async (wrong) => {
    expect((await api().put(sso(), wrong)).status).toBe(400);
    expect((await api().get(sso())).status).toBe(404);
  });

  it('closes SCIM with single sign-on, and opens it again', async () => {
    const { scim: client } = await provider(app.current, owner, group);
    await api().put(sso(), { enabled: false });
    const closed = await client.get('?count=1');
    expect([closed.status, closed.body.detail]).toEqual([404, '404 Group Not Found']);
    await api().put(sso(), { enabled: true });
    expect((await client.get('?count=1')).status).toBe(200);
  });
});

describe('GET /groups/:id/saml_provider', () => {
  it('is "404 Not found" for a group without single sign-on', async () => {
    const { status, body } = await api().get(sso());
    expect([status, body]).toEqual([404, { message: '404 Not found' }]);
  });
});

describe('rights', () => {
  it.each(['scim', 'saml_provider'])('%s is for owners and administrators', async (what) => {
    const { build, api: anonymous } = app.current;
    const members = {
      guest: await build.user(),
      reporter: await build.user(),
      developer: await build.user(),
      maintainer: await build.user(),
    };
    const of = await build.group({ members: { ...members, owner } });
    const path = `/groups/${of.id}/${what}`;
    const statuses = async (user: BuiltUser) => [
      (await api(user).get(path)).status,
      (await api(user).put(path, { enabled: true })).status,
    ];
    for (const member of Object.values(members)) expect(await statuses(member)).toEqual([403, 403]);
    expect(await statuses(await build.user())).toEqual([404, 404]);
    expect([
      (await anonymous.get(path)).status,
      (await anonymous.put(path, { enabled: true })).status,
    ]).toEqual([404, 401]);
    expect((await api(owner).put(path, { enabled: true })).status).toBe(200);
    expect(await statuses(await build.user({ admin: true }))).toEqual([200, 200]);
    const reader = await build.token(owner, ['read_user']);
    expect((await api({ token: reader }).put(path, { enabled: true })).status).toBe(403);
  });

  it('needs premium', async () => {
    const starter = await startApplication({ TIER: 'starter' });
    try {
      const boss = await starter.build.user();
      const of = await starter.build.group({ members: { owner: boss } });
      for (const what of ['scim', 'saml_provider']) {
        expect((await starter.as(boss).put(`/groups/${of.id}/${what}`, { enabled: true })).status).toBe(404);
        expect((await starter.as(boss).get(`/groups/${of.id}/${what}`)).status).toBe(404);
      }
      const digest = createHash('sha256').update('known').digest();
      await starter.database.query('INSERT INTO saml_providers (group_id) VALUES ($1)', [of.id]);
      await starter.database.query(
        'INSERT INTO scim_tokens (group_id, digest, traversal_ids) VALUES ($1, $2, $3)',
        [of.id, digest, [of.id]],
      );
      expect((await scimClient(starter, of, 'known').get('?count=1')).status).toBe(404);
      expect((await scimClient(starter, of, 'wrong').get('?count=1')).status).toBe(401);
    } finally {
      await starter.close();
    }
  });
});
