import { randomBytes } from 'node:crypto';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';
import { ERROR_SCHEMA, person, provider, type ScimClient } from '../../support/scim-client';

const app = useApplication();

let owner: BuiltUser;
let group: BuiltGroup;
let scim: ScimClient;
let name: string;
let id: string;
beforeAll(async () => {
  owner = await app.current.build.user();
  group = await app.current.build.group({ members: { owner } });
  ({ scim } = await provider(app.current, owner, group));
});
const fresh = (): string => `p${randomBytes(4).toString('hex')}`;
beforeEach(async () => {
  name = fresh();
  id = `id-of-${name}`;
  await scim.create(person(name));
});

const shown = async (of = id) => (await scim.show(of)).body;
const change = async (...operations: object[]) => {
  const { status, text } = await scim.patch(id, operations);
  expect([status, text]).toEqual([204, '']);
  return shown();
};

describe('PATCH /api/scim/v2/groups/:group_path/Users/:id', () => {
  it.each([
    { op: 'Replace', path: 'name.formatted', value: 'New Name' },
    { op: 'replace', path: 'NAME.FORMATTED', value: 'New Name' },
    { op: 'ADD', path: 'displayName', value: 'New Name' },
    { op: 'replace', path: 'name', value: { formatted: 'New Name' } },
    { op: 'replace', path: 'name', value: { givenName: 'New', familyName: 'Name' } },
    { op: 'replace', value: { 'name.formatted': 'New Name' } },
    { op: 'replace', value: { name: { givenName: 'New', FamilyName: 'Name' } } },
    { op: 'replace', value: { 'name.givenName': 'New', 'name.familyName': 'Name' } },
    { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.formatted', value: 'New Name' },
    { op: 'replace', value: { 'urn:ietf:params:scim:schemas:core:2.0:User': { displayName: 'New Name' } } },
    { OP: 'replace', PATH: 'name.formatted', Value: 'New Name' },
  ])('changes the name by %j', async (operation) => {
    const user = await change(operation);
    expect([user['name.formatted'], user.name]).toEqual([
      'New Name',
      { formatted: 'New Name', givenName: 'New', familyName: 'Name' },
    ]);
  });

  it('exchanges one part of the name', async () => {
    expect((await change({ op: 'replace', path: 'name.familyName', value: 'van Dyck' })).name).toEqual({
      formatted: 'Given van Dyck',
      givenName: 'Given',
      familyName: 'van Dyck',
    });
  });

  it.each([
    (value: string) => ({ op: 'Replace', path: 'emails[type eq "work"].value', value }),
    (value: string) => ({ op: 'replace', path: 'Emails[Type eq "work"]', value: { value } }),
    (value: string) => ({ op: 'replace', path: 'emails[primary eq true].value', value }),
    (value: string) => ({
      op: 'add',
      path: 'emails',
      value: [
        { type: 'home', value: 'h@x.example' },
        { type: 'work', value },
      ],
    }),
    (value: string) => ({ op: 'replace', path: 'emails', value }),
    (value: string) => ({ op: 'replace', path: 'emails.value', value }),
    (value: string) => ({ op: 'replace', value: { 'emails[type eq "work"].value': value } }),
    (value: string) => ({ op: 'replace', value: { emails: [{ value, primary: true }] } }),
  ])('changes the e-mail of an account that nobody has claimed yet, way %#', async (operation) => {
    const email = `${fresh()}@corp.example`;
    expect((await change(operation(email))).emails).toEqual([{ type: 'work', value: email, primary: true }]);
  });

  it('changes the username, and the paths with it', async () => {
    const renamed = fresh();
    expect((await change({ op: 'replace', path: 'userName', value: renamed })).userName).toBe(renamed);
    const { rows } = await app.current.database.query('SELECT 1 FROM routes WHERE path = $1', [renamed]);
    expect(rows).toHaveLength(1);
  });

  it.each(['id', 'externalId'])('moves the user to another id by %s', async (path) => {
    const moved = `moved-${fresh()}`;
    expect((await scim.patch(id, [{ op: 'replace', path, value: moved }])).status).toBe(204);
    expect((await scim.show(id)).status).toBe(404);
    expect((await shown(moved)).userName).toBe(name);
    expect((await scim.create(person(name, { externalId: moved }))).body.userName).toBe(name);
  });

  it.each([false, 'False', 'false', 'FALSE'])('takes the user out with active %j', async (value) => {
    expect((await scim.patch(id, [{ op: 'Replace', path: 'active', value }])).status).toBe(204);
    expect((await scim.show(id)).status).toBe(404);
    expect((await scim.patch(id, [{ op: 'Replace', path: 'active', value: true }])).status).toBe(404);
    expect((await scim.create(person(name))).body.userName).toBe(name);
    expect((await scim.show(id)).status).toBe(200);
  });

  it('passes over what users do not have, and operations that are neither add nor replace', async () => {
    const before = await shown();
    const after = await change(
      { op: 'remove', path: 'name.formatted' },
      { op: 'move', path: 'userName', value: 'other' },
      { op: 'replace', path: 'title', value: 'Doctor' },
      { op: 'replace', path: 'emails[type eq "home"].value', value: 'home@x.example' },
      { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '1' },
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'X',
      },
      {
        op: 'replace',
        value: { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: 1 } },
      },
      { op: 'replace', value: { '__proto__.active': false, 'constructor.prototype': 1, 'a b c': 2 } },
      { op: 'replace', path: 'active', value: 'True' },
    );
    expect(after).toEqual(before);
  });

  it('applies all operations of a request, the later of two', async () => {
    const renamed = fresh();
    const user = await change(
      { op: 'replace', path: 'userName', value: 'first' },
      { op: 'Replace', path: 'userName', value: renamed },
      { op: 'Add', path: 'name.formatted', value: 'New Name' },
      { op: 'replace', value: { 'emails[type eq "work"].value': `${renamed}@corp.example`, active: true } },
    );
    expect(user).toMatchObject({
      userName: renamed,
      'name.formatted': 'New Name',
      emails: [{ value: `${renamed}@corp.example` }],
    });
  });

  it.each([
    [
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'TAKEN' },
      409,
      'uniqueness',
      'Email has already been taken',
    ],
    [
      { op: 'replace', path: 'userName', value: 'TAKEN-NAME' },
      409,
      'uniqueness',
      'Username has already been taken',
    ],
    [
      { op: 'replace', path: 'active', value: 'perhaps' },
      400,
      'invalidValue',
      'active must be true or false',
    ],
    [{ op: 'replace', path: 'active' }, 400, 'invalidValue', 'active must be true or false'],
    [{ op: 'replace', path: 'active', value: 0 }, 400, 'invalidValue', 'active must be true or false'],
    [{ op: 'replace', path: 'userName', value: ['a', 'b'] }, 400, 'invalidValue', 'username is invalid'],
    [{ op: 'replace', path: 'userName', value: '' }, 400, 'invalidValue', "username can't be blank"],
    [{ op: 'replace', path: 'userName', value: 'admin' }, 400, 'invalidValue', 'username is a reserved name'],
    [{ op: 'replace', path: 'name', value: 'text' }, 400, 'invalidValue', 'name must be an object'],
    [
      { op: 'replace', path: 'name.formatted', value: 'x'.repeat(200) },
      400,
      'invalidValue',
      expect.stringContaining('too long'),
    ],
    [{ op: 'replace', path: 'emails', value: 'nobody' }, 400, 'invalidValue', 'email is invalid'],
    [
      { op: 'replace', path: 'emails', value: [{ value: ['a@b.c'] }] },
      400,
      'invalidValue',
      'emails is invalid',
    ],
    [{ op: 'replace', value: 'text' }, 400, 'invalidValue', expect.stringContaining('without a path')],
    [{ op: 'replace', path: 'a b', value: 1 }, 400, 'invalidPath', 'Invalid path: a b'],
    [{ op: 'replace', path: 'emails[', value: 1 }, 400, 'invalidPath', 'Invalid path: emails['],
    [{ op: 'replace', path: 'emails[type eq].value', value: 1 }, 400, 'invalidPath', expect.any(String)],
    [
      { op: 'replace', path: `emails[type eq "${'\n'.repeat(100)}].value`, value: 1 },
      400,
      'invalidPath',
      expect.any(String),
    ],
    [{ op: 'replace', path: 'a'.repeat(5_000), value: 1 }, 400, 'invalidPath', expect.any(String)],
    [{ op: 'replace', path: ['active'], value: false }, 400, 'invalidValue', expect.any(String)],
    [{ op: ['replace'], path: 'active', value: false }, 400, 'invalidValue', expect.any(String)],
    [{ path: 'active', value: false }, 400, 'invalidValue', expect.any(String)],
  ])('refuses %j with everything that came with it', async (wrong, status, scimType, detail) => {
    const other = fresh();
    await scim.create(person(other));
    const filled: object = JSON.parse(
      JSON.stringify(wrong).replace('TAKEN-NAME', other).replace('TAKEN', `${other}@corp.example`),
    );
    const before = await shown();
    const answer = await scim.patch(id, [
      { op: 'replace', path: 'name.formatted', value: 'Not To Stay' },
      filled,
      { op: 'replace', path: 'externalId', value: `never-${fresh()}` },
    ]);
    expect([answer.status, answer.body]).toEqual([
      status,
      { schemas: [ERROR_SCHEMA], scimType, detail, status: String(status) },
    ]);
    expect(await shown()).toEqual(before);
  });

  it('refuses an id that somebody else has, or had, with everything that came with it', async () => {
    const other = fresh();
    await scim.create(person(other));
    const before = await shown();
    const taken = async () => {
      const operations = { displayName: 'Not To Stay', externalId: `ID-of-${other}` };
      return (await scim.patch(id, [{ op: 'replace', value: operations }])).body;
    };
    const refusal = {
      schemas: [ERROR_SCHEMA],
      scimType: 'uniqueness',
      detail: 'externalId has already been taken',
      status: '409',
    };
    expect(await taken()).toEqual(refusal);
    await scim.delete(`id-of-${other}`);
    expect(await taken()).toEqual(refusal);
    expect(await shown()).toEqual(before);
  });

  it.each([
    {},
    { Operations: [] },
    { Operations: {} },
    { Operations: 'replace' },
    { Operations: null },
    { Operations: [1] },
    { Operations: Array.from({ length: 101 }, () => ({ op: 'replace', path: 'title', value: 1 })) },
    { operations: [], Operations: [] },
  ])('refuses the message %#', async (message) => {
    const { status, body } = await scim.patch(id, message);
    expect([status, body.schemas, body.status]).toEqual([400, [ERROR_SCHEMA], '400']);
  });

  it('is 404 for somebody whom the provider has not brought', async () => {
    const { status, body } = await scim.patch('123', [{ op: 'replace', path: 'active', value: false }]);
    expect([status, body.detail]).toEqual([404, 'Resource 123 not found']);
  });

  it('asks for nothing by the username that was sent before, though a number stands behind it', async () => {
    const taken = await app.current.build.user({ username: fresh() });
    const emails = [{ value: `${fresh()}@corp.example` }];
    await scim.create(person(taken.username, { emails }));
    const answer = await scim.patch(`id-of-${taken.username}`, [
      { op: 'Replace', path: 'userName', value: taken.username },
    ]);
    expect(answer.status).toBe(204);
    expect((await shown(`id-of-${taken.username}`)).userName).toBe(`${taken.username}1`);
  });
});
