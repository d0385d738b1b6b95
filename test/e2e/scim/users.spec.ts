import { randomBytes } from 'node:crypto';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';
import { ERROR_SCHEMA, person, provider, SCIM, type ScimClient } from '../../support/scim-client';

const app = useApplication();

let owner: BuiltUser;
let group: BuiltGroup;
let scim: ScimClient;
beforeAll(async () => {
  owner = await app.current.build.user();
});
beforeEach(async () => {
  group = await app.current.build.group({ members: { owner } });
  ({ scim } = await provider(app.current, owner, group));
});

const fresh = (): string => `p${randomBytes(4).toString('hex')}`;
const idOf = (name: string): string => `id-of-${name}`;
const provisioned = async (): Promise<string> => {
  const name = fresh();
  expect((await scim.create(person(name))).status).toBe(201);
  return name;
};
const account = async (name: string) =>
  (await app.current.database.query('SELECT * FROM users WHERE username = $1', [name])).rows[0];
const levels = async (name: string): Promise<number[]> => {
  const { rows } = await app.current.database.query(
    `SELECT access_level FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.source_kind = 'namespace' AND m.source_id = $1 AND u.username = $2`,
    [group.id, name],
  );
  return rows.map((row: { access_level: number }) => row.access_level);
};
const record = (name: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: idOf(name),
  externalId: idOf(name),
  active: true,
  'name.formatted': `Given ${name}`,
  name: { formatted: `Given ${name}`, givenName: 'Given', familyName: name },
  displayName: `Given ${name}`,
  userName: name,
  meta: {
    resourceType: 'User',
    created: expect.stringMatching(/^\d{4}-.*Z$/),
    lastModified: expect.stringMatching(/^\d{4}-.*Z$/),
    location: `http://service.test/api/scim/v2/groups/${group.fullPath}/Users/${idOf(name)}`,
  },
  emails: [{ type: 'work', value: `${name}@corp.example`, primary: true }],
});
const refusal = (status: number, detail: unknown, scimType?: string) => ({
  schemas: [ERROR_SCHEMA],
  ...(scimType !== undefined && { scimType }),
  detail,
  status: String(status),
});

describe('POST /api/scim/v2/groups/:group_path/Users/', () => {
  it('opens an account that waits for its confirmation, and makes it a guest of the group', async () => {
    const name = fresh();
    const answer = await scim.create(person(name));
    expect(answer.status).toBe(201);
    expect(answer.headers['content-type']).toBe(SCIM);
    expect(answer.headers['location']).toBe(record(name).meta.location);
    expect(answer.body).toEqual(record(name));
    expect(await levels(name)).toEqual([10]);
    expect(await account(name)).toMatchObject({
      email: `${name}@corp.example`,
      name: `Given ${name}`,
      confirmed_at: null,
      password_digest: null,
      is_admin: false,
    });
    const admin = await app.current.build.user({ admin: true });
    const { body } = await app.current.as(admin).get(`/users?username=${name}`);
    expect(body[0].identities).toEqual([
      { provider: 'group_saml', extern_uid: idOf(name), saml_provider_id: expect.any(Number) },
    ]);
  });

  it('answers the same user again, without changing anything', async () => {
    const name = await provisioned();
    const again = await scim.create(
      person(name, { name: { formatted: 'Other' }, emails: [{ value: 'other@corp.example' }] }),
    );
    expect([again.status, again.body]).toEqual([201, record(name)]);
    expect(await levels(name)).toEqual([10]);
  });

  it('lets a member in again whom an owner has taken out by hand, and keeps a higher level', async () => {
    const name = await provisioned();
    const { id } = await account(name);
    await app.current.as(owner).delete(`/groups/${group.id}/members/${id}`);
    await scim.create(person(name));
    expect(await levels(name)).toEqual([10]);
    await app.current.as(owner).put(`/groups/${group.id}/members/${id}`, { access_level: 40 });
    await scim.create(person(name));
    expect(await levels(name)).toEqual([40]);
  });

  it('keeps what somebody is from the group above', async () => {
    const name = await provisioned();
    const { id } = await account(name);
    await app.current.as(owner).put(`/groups/${group.id}/members/${id}`, { access_level: 30 });
    const inner = await app.current.build.group({ parent: group, members: { owner } });
    const { scim: below } = await provider(app.current, owner, inner);
    const { status, body } = await below.create(person(`${name}x`, { externalId: 'x' }));
    expect([status, body.id]).toEqual([201, 'x']);
    await app.current.as(owner).post(`/groups/${group.id}/members`, {
      user_id: (await account(`${name}x`)).id,
      access_level: 20,
    });
    await below.delete('x');
    expect((await below.create(person(`${name}x`, { externalId: 'x' }))).status).toBe(201);
    expect(
      (await app.current.as(owner).get(`/groups/${inner.id}/members`)).body.map(
        (member: { username: string }) => member.username,
      ),
    ).toEqual([owner.username]);
  });

  it('puts a number behind a username that is taken', async () => {
    const taken = await app.current.build.user({ username: fresh() });
    const { status, body } = await scim.create(
      person(taken.username, { emails: [{ value: `${fresh()}@x.example` }] }),
    );
    expect([status, body.userName]).toEqual([201, `${taken.username}1`]);
    expect((await scim.filter(`userName eq "${taken.username}"`)).body.Resources[0].id).toBe(
      idOf(taken.username),
    );
  });

  it('makes a username of an address', async () => {
    const name = fresh();
    const { body } = await scim.create(person(name, { userName: `${name}@corp.example` }));
    expect(body.userName).toBe(name);
    expect((await scim.filter(`userName eq "${name}@corp.example"`)).body.totalResults).toBe(1);
  });

  it('refuses an e-mail that somebody else has', async () => {
    const other = await app.current.build.user();
    const { status, body } = await scim.create(
      person(fresh(), { emails: [{ value: other.email.toUpperCase() }] }),
    );
    expect([status, body]).toEqual([409, refusal(409, 'Email has already been taken', 'uniqueness')]);
  });

  it.each([
    ['externalId', { externalId: undefined }],
    ['userName', { userName: undefined }],
    ['emails', { emails: undefined }],
    ['name', { name: undefined }],
  ])('needs %s', async (attribute, more) => {
    const { status, body, headers } = await scim.create(person(fresh(), more));
    expect([status, body]).toEqual([400, refusal(400, `Missing params: ["${attribute}"]`, 'invalidValue')]);
    expect(headers['content-type']).toBe(SCIM);
  });

  it.each([
    { emails: [] },
    { emails: [{ type: 'work' }] },
    { emails: [{ value: 'no address' }] },
    { emails: 'a@b.example' },
    { emails: { value: ['a@b.example', 'c@d.example'] } },
    { emails: [{ value: { a: 'b' } }] },
    { externalId: ['a', 'b'] },
    { externalId: ' ' },
    { externalId: 'x'.repeat(256) },
    { userName: { a: 'b' } },
    { userName: '' },
    { name: 'Grace' },
    { name: {} },
    { name: { formatted: 'x'.repeat(129) } },
    { active: 'maybe' },
    { active: false },
    { USERNAME: 'twice' },
  ])('refuses %j', async (more) => {
    const { status, body } = await scim.create(person(fresh(), more));
    expect([status, body]).toEqual([400, refusal(400, expect.any(String), expect.any(String))]);
  });

  it('reads attribute names in any letter case, both forms of the name, and picks the e-mail for work', async () => {
    const name = fresh();
    const { status, body } = await scim.create({
      EXTERNALID: idOf(name),
      username: name,
      'NAME.formatted': `Given ${name}`,
      Emails: [
        { Type: 'home', Value: 'home@corp.example', Primary: true },
        { TYPE: 'Work', value: `${name}@corp.example` },
      ],
    });
    expect([status, body]).toEqual([201, record(name)]);
    const primary = fresh();
    const emails = [{ value: 'first@corp.example' }, { value: `${primary}@corp.example`, primary: 'True' }];
    expect((await scim.create(person(primary, { emails }))).body.emails[0].value).toBe(
      `${primary}@corp.example`,
    );
  });

  it('takes application/json, and nothing that is no JSON', async () => {
    const bearer = (type: string, body: string) =>
      app.current.api
        .post(`${scim.base}/Users/`)
        .set('content-type', type)
        .set('authorization', String(token))
        .send(body);
    const token = `Bearer ${(await provider(app.current, owner, group)).token}`;
    const name = fresh();
    expect((await bearer('application/json', JSON.stringify(person(name)))).status).toBe(201);
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', `userName=x&externalId=y`],
      [SCIM, '[]'],
      [SCIM, '{"userName":'],
      [SCIM, ''],
    ] as const) {
      const answer = await bearer(type, body);
      expect([answer.status, answer.body]).toEqual([
        400,
        refusal(400, expect.any(String), expect.any(String)),
      ]);
    }
  });
});

describe('GET /api/scim/v2/groups/:group_path/Users/:id', () => {
  it('answers the user, whatever is in the id', async () => {
    for (const id of ['a.b@c.example', 'a/b', 'ä ö', '1.json', "o'neill", '%2F']) {
      const name = fresh();
      await scim.create(person(name, { externalId: id }));
      const { status, body } = await scim.show(id);
      expect([status, body.id, body.userName]).toEqual([200, id, name]);
      expect(body.meta.location.endsWith(`/Users/${encodeURIComponent(id)}`)).toBe(true);
    }
  });

  it('is 404 for somebody whom this provider has not brought', async () => {
    const other = await app.current.build.group({ members: { owner } });
    const name = await provisioned();
    const { scim: foreign } = await provider(app.current, owner, other);
    for (const answer of [await scim.show('123'), await foreign.show(idOf(name))])
      expect([answer.status, answer.headers['content-type']]).toEqual([404, SCIM]);
    expect((await scim.show('123')).body).toEqual(refusal(404, 'Resource 123 not found'));
  });
});

describe('GET /api/scim/v2/groups/:group_path/Users', () => {
  const found = async (filter: string) => {
    const { status, body } = await scim.filter(filter);
    expect(status).toBe(200);
    return body;
  };

  it('answers the one user of the filter', async () => {
    const name = await provisioned();
    const list = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 1,
      itemsPerPage: 20,
      startIndex: 1,
      Resources: [record(name)],
    };
    for (const filter of [
      `id eq "${idOf(name)}"`,
      `externalId eq "${idOf(name)}"`,
      `EXTERNALID EQ "${idOf(name)}"`,
      `userName eq "${name.toUpperCase()}"`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${name}"`,
      `emails eq "${name}@corp.example"`,
      `emails.value eq "${name}@corp.example"`,
      `emails[type eq "work"].value eq "${name}@corp.example"`,
      `emails[type eq "work" and value eq "${name}@CORP.example"]`,
      `(userName eq "${name}") and active eq true`,
    ])
      expect(await found(filter)).toEqual(list);
  });

  it('answers an empty list where nobody is meant', async () => {
    const name = await provisioned();
    for (const filter of [
      'id eq "nobody"',
      `userName eq "${owner.username}"`,
      `emails eq "${owner.email}"`,
      `userName eq "${name}" and id eq "other"`,
      `emails[type eq "home"].value eq "${name}@corp.example"`,
      `userName eq "${name}" and active eq false`,
    ])
      expect(await found(filter)).toMatchObject({ totalResults: 0, Resources: [] });
  });

  it('is a SCIM error without a filter', async () => {
    for (const query of ['', '?filter=', '?filter=%20']) {
      const { status, body } = await scim.get(query);
      expect([status, body]).toEqual([400, refusal(400, 'Missing filter params', 'invalidFilter')]);
    }
  });

  it.each([
    'userName co "x"',
    'userName ne "x"',
    'userName pr',
    'not (userName eq "x")',
    'userName eq "x" or id eq "y"',
    'userName eq "x" and not (id eq "y")',
    'password eq "x"',
    'active eq true',
    '__proto__ eq "x"',
    'constructor eq "x"',
    'userName eq',
    'userName eq x',
    'eq "x"',
    '"x"',
    '((userName eq "x")',
    'userName eq "x" extra',
    `userName eq "${'x'.repeat(1_000)}"`,
    `${'('.repeat(900)}id eq "x"`,
    `${'not '.repeat(200)}id eq "x"`,
    `id eq "${'\n'.repeat(200)}`,
    `emails[${'['.repeat(400)}`,
  ])('answers invalidFilter to %j', async (filter) => {
    const { status, body } = await scim.filter(filter);
    expect([status, body]).toEqual([400, refusal(400, expect.any(String), 'invalidFilter')]);
  });

  it('pages through all users for who asks for pages', async () => {
    const names = [await provisioned(), await provisioned(), await provisioned()];
    const page = async (query: string) => (await scim.get(query)).body;
    const ids = (body: { Resources: { id: string }[] }) => body.Resources.map(({ id }) => id);
    const first = await page('?startIndex=1&count=2');
    expect(first).toMatchObject({ totalResults: 3, itemsPerPage: 2, startIndex: 1 });
    expect(ids(first)).toEqual(names.slice(0, 2).map(idOf));
    const rest = await page('?startIndex=3&count=2');
    expect([ids(rest), rest.startIndex, rest.itemsPerPage]).toEqual([[idOf(names[2] ?? '')], 3, 1]);
    expect(ids(await page('?startIndex=-5&count=1'))).toEqual([idOf(names[0] ?? '')]);
    expect(ids(await page('?startIndex=4'))).toEqual([]);
    expect(await page('?count=0')).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(await page('?count=-1')).toMatchObject({ totalResults: 3, Resources: [] });
    expect((await page('?count=1000')).Resources).toHaveLength(3);
    expect((await scim.get('?startIndex=x')).status).toBe(400);
    expect(
      (await page(`?filter=${encodeURIComponent(`id eq "${idOf(names[0] ?? '')}"`)}&count=0`)).totalResults,
    ).toBe(1);
  });
});

describe('DELETE /api/scim/v2/groups/:group_path/Users/:id', () => {
  it('takes identity and membership away, and leaves the account', async () => {
    const name = await provisioned();
    const gone = await scim.delete(idOf(name));
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await scim.show(idOf(name))).status).toBe(404);
    expect((await scim.filter(`userName eq "${name}"`)).body.totalResults).toBe(0);
    expect((await scim.delete(idOf(name))).body).toEqual(refusal(404, `Resource ${idOf(name)} not found`));
    expect(await levels(name)).toEqual([]);
    expect(await account(name)).toMatchObject({ state: 'active' });
  });

  it('links the same account again when the provider brings it again', async () => {
    const name = await provisioned();
    const { id } = await account(name);
    await scim.delete(idOf(name));
    const again = await scim.create(person(name));
    expect([again.status, again.body.userName]).toEqual([201, name]);
    expect([(await account(name)).id, await levels(name)]).toEqual([id, [10]]);
  });

  it('keeps the last owner, with everything', async () => {
    const name = await provisioned();
    const { id } = await account(name);
    const admin = await app.current.build.user({ admin: true });
    await app.current.as(admin).put(`/groups/${group.id}/members/${id}`, { access_level: 50 });
    await app.current.as(admin).delete(`/groups/${group.id}/members/${owner.id}`);
    const { status, body } = await scim.delete(idOf(name));
    expect([status, body]).toEqual([412, refusal(412, 'The last owner of a group cannot be removed')]);
    const inactive = await scim.patch(idOf(name), [{ op: 'replace', path: 'active', value: false }]);
    expect(inactive.status).toBe(412);
    expect([(await scim.show(idOf(name))).status, await levels(name)]).toEqual([200, [50]]);
  });
});

describe('PUT', () => {
  it('is refused clearly', async () => {
    const name = await provisioned();
    const { status, body, headers } = await scim.put(idOf(name), person(name));
    expect([status, body]).toEqual([405, refusal(405, expect.stringContaining('PATCH'))]);
    expect(headers['allow']).toBe('OPTIONS, GET, HEAD, PATCH, DELETE');
    expect(headers['content-type']).toBe(SCIM);
  });
});
