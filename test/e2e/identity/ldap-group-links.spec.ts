import { useApplication, startApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';

const DIRECTORY = { url: 'ldap://127.0.0.1:9', encryption: 'none', base: 'dc=example,dc=com', uid: 'uid' };
const CONFIG = JSON.stringify({
  ldapmain: { ...DIRECTORY, groupBase: 'dc=example,dc=com' },
  ldapother: { ...DIRECTORY, groupBase: 'dc=example,dc=com' },
});
const LINK = { cn: 'developers', group_access: 30, provider: 'ldapmain' };

const app = useApplication({ LDAP_CONFIG: CONFIG, LDAP_SYNC_MINUTES: '10080' });
const unlinked = useApplication();

let owner: BuiltUser;
let group: BuiltGroup;
beforeAll(async () => {
  owner = await app.current.build.user();
});
beforeEach(async () => {
  group = await app.current.build.group({ members: { owner } });
});

const api = (user: { token: string } = owner) => app.current.as(user);
const links = (of: BuiltGroup = group): string => `/groups/${of.id}/ldap_group_links`;

describe('POST /groups/:id/ldap_group_links', () => {
  it('answers the link', async () => {
    const { status, body } = await api().post(links(), LINK);
    expect(status).toBe(201);
    expect(body).toEqual(LINK);
  });

  it.each([10, 20, 30, 40, 50])('takes the level %d', async (level) => {
    expect((await api().post(links(), { ...LINK, group_access: level })).body.group_access).toBe(level);
  });

  it.each([0, 5, 60, -10, 35])('refuses the level %d', async (level) => {
    const { status, body } = await api().post(links(), { ...LINK, group_access: level });
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'group_access does not have a valid value' });
  });

  it.each(['cn', 'group_access', 'provider'])('needs %s', async (name) => {
    const { status, body } = await api().post(links(), { ...LINK, [name]: undefined });
    expect(status).toBe(400);
    expect(body).toEqual({ message: `400 (Bad request) "${name}" not given` });
  });

  it.each(['', ' ', 'x'.repeat(256), ['a'], { a: 'b' }, 'a\0'])('refuses the name %j', async (cn) => {
    expect((await api().post(links(), { ...LINK, cn })).status).toBe(400);
  });

  it('refuses a provider that is not configured', async () => {
    const { status, body } = await api().post(links(), { ...LINK, provider: 'ldapelse' });
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'provider does not have a valid value' });
  });

  it('refuses the same link twice, in any letter case, also at once', async () => {
    const statuses = await Promise.all(
      ['developers', 'DEVELOPERS', 'Developers'].map(
        async (cn) => (await api().post(links(), { ...LINK, cn })).status,
      ),
    );
    expect(statuses.sort()).toEqual([201, 409, 409]);
    const { status, body } = await api().post(links(), { ...LINK, group_access: 40 });
    expect(status).toBe(409);
    expect(body).toEqual({ message: 'Cn has already been taken' });
    expect((await api().post(links(), { ...LINK, provider: 'ldapother' })).status).toBe(201);
    const other = await app.current.build.group({ members: { owner } });
    expect((await api().post(links(other), LINK)).status).toBe(201);
  });

  it('prepares links for any provider where none is configured', async () => {
    const admin = await unlinked.current.build.user({ admin: true });
    const { id } = await unlinked.current.build.group();
    const { status } = await unlinked.current.as(admin).post(`/groups/${id}/ldap_group_links`, LINK);
    expect(status).toBe(201);
  });
});

describe('DELETE /groups/:id/ldap_group_links/:cn', () => {
  it('removes one link with the name', async () => {
    await api().post(links(), LINK);
    const answer = await api().delete(`${links()}/developers`);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    const again = await api().delete(`${links()}/developers`);
    expect(again.status).toBe(404);
    expect(again.body).toEqual({ message: 'Linked LDAP group not found' });
  });

  it('takes names with blanks, dots and slashes', async () => {
    for (const cn of ['All Staff', 'a.json', 'r&d/ops', 'ünï']) {
      expect((await api().post(links(), { ...LINK, cn })).status).toBe(201);
      expect((await api().delete(`${links()}/${encodeURIComponent(cn)}`)).status).toBe(204);
    }
  });

  it('leaves other groups and names alone', async () => {
    const other = await app.current.build.group({ members: { owner } });
    await api().post(links(other), LINK);
    expect((await api().delete(`${links()}/developers`)).status).toBe(404);
    expect((await api().delete(`${links(other)}/devel%25`)).status).toBe(404);
    expect((await api().delete(`${links(other)}/developers`)).status).toBe(204);
  });
});

describe('DELETE /groups/:id/ldap_group_links/:provider/:cn', () => {
  it('removes the link of that provider', async () => {
    await api().post(links(), LINK);
    await api().post(links(), { ...LINK, provider: 'ldapother' });
    expect((await api().delete(`${links()}/ldapother/developers`)).status).toBe(204);
    const again = await api().delete(`${links()}/ldapother/developers`);
    expect(again.status).toBe(404);
    expect(again.body).toEqual({ message: 'Linked LDAP group not found' });
    expect((await api().delete(`${links()}/ldapmain/developers`)).status).toBe(204);
  });
});

describe('POST /groups/:id/ldap_sync', () => {
  it('begins a comparison', async () => {
    const { status, body } = await api().post(`/groups/${group.id}/ldap_sync`);
    expect(status).toBe(202);
    expect(body).toEqual({ message: '202 Accepted' });
  });

  it('is not there where no directory with groups is configured', async () => {
    const admin = await unlinked.current.build.user({ admin: true });
    const { id } = await unlinked.current.build.group();
    const { status, body } = await unlinked.current.as(admin).post(`/groups/${id}/ldap_sync`);
    expect(status).toBe(404);
    expect(body).toEqual({ message: '404 Not found' });
  });
});

describe('groups that follow a directory', () => {
  const attempts = (of: BuiltGroup) =>
    [
      ['post', `/groups/${of.id}/ldap_sync`, undefined, 202],
      ['post', links(of), LINK, 201],
      ['delete', `${links(of)}/developers`, undefined, 204],
      ['delete', `${links(of)}/ldapmain/developers`, undefined, 404],
    ] as const;

  it.each(['guest', 'reporter', 'developer', 'maintainer'] as const)('are not for a %s', async (level) => {
    const member = await app.current.build.user();
    const of = await app.current.build.group({ visibility: 'private', members: { owner, [level]: member } });
    for (const [method, path, body] of attempts(of)) {
      const answer = await api(member)[method](path, body);
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ message: '403 Forbidden' });
    }
  });

  it('are for owners, also of a group above, and for administrators', async () => {
    const admin = await app.current.build.user({ admin: true });
    const inner = await app.current.build.group({ parent: group });
    for (const user of [owner, admin]) {
      for (const [method, path, body, status] of attempts(inner))
        expect((await api(user)[method](path, body)).status).toBe(status);
    }
  });

  it('are hidden from strangers and anonymous callers', async () => {
    const stranger = await app.current.build.user();
    for (const visibility of ['public', 'internal', 'private'] as const) {
      const of = await app.current.build.group({ visibility });
      for (const [method, path, body] of attempts(of)) {
        expect((await app.current.api[method](path, body)).status).toBe(visibility === 'public' ? 401 : 401);
        expect((await api(stranger)[method](path, body)).status).toBe(visibility === 'private' ? 404 : 403);
      }
    }
  });

  it('need a token that may write', async () => {
    const reading = { token: await app.current.build.token(owner, ['read_user']) };
    for (const [method, path, body] of attempts(group))
      expect((await api(reading)[method](path, body)).status).toBe(403);
  });

  it('come with every licence: the specification marks none of them', async () => {
    const core = await startApplication({ TIER: 'core', LDAP_CONFIG: CONFIG });
    try {
      const admin = await core.build.user({ admin: true });
      const of = await core.build.group();
      for (const [method, path, body, status] of attempts(of))
        expect((await core.as(admin)[method](path, body)).status).toBe(status);
    } finally {
      await core.close();
    }
  });
});
