import { useApplication } from '../../support/application';
import { ERROR_SCHEMA, PATCH_SCHEMA, provider, type ScimClient } from '../../support/scim-client';

/** Requests in the shapes that Okta's documentation of SCIM 2.0 shows: its connection test, import, and life of a user. */
const app = useApplication();

const USER = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'test.user@okta.local',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
};
const byUserName = '?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

describe('Okta', () => {
  let scim: ScimClient;
  beforeAll(async () => {
    const owner = await app.current.build.user();
    const group = await app.current.build.group({ members: { owner } });
    ({ scim } = await provider(app.current, owner, group));
  });

  it('tests the connection', async () => {
    for (const query of ['?startIndex=1&count=2', '?startIndex=1&count=100']) {
      const { status, body } = await scim.get(query);
      expect([status, body]).toEqual([
        200,
        { schemas: [LIST], totalResults: 0, itemsPerPage: 0, startIndex: 1, Resources: [] },
      ]);
    }
    const unknown = await scim.show('010101001010101011001010101011');
    expect([unknown.status, unknown.body.schemas]).toEqual([404, [ERROR_SCHEMA]]);
    expect(unknown.body.detail).toEqual(expect.any(String));
    expect((await scim.at('/Groups?startIndex=1&count=2')).body).toMatchObject({
      schemas: [ERROR_SCHEMA],
      status: '404',
    });
  });

  it('provisions, looks up, updates, deactivates, reactivates and deletes', async () => {
    expect((await scim.get(byUserName)).body).toMatchObject({ totalResults: 0, Resources: [] });
    const made = await scim.create(USER);
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        id: USER.externalId,
        active: true,
        userName: 'test.user',
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ value: 'test.user@okta.local', primary: true }],
      },
    ]);
    const { id } = made.body;
    expect((await scim.get(byUserName)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    expect((await scim.show(id)).body).toEqual(made.body);

    const update = {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: 'replace', value: { name: { givenName: 'Another', familyName: 'User' } } }],
    };
    expect((await scim.patch(id, update)).status).toBe(204);
    expect((await scim.show(id)).body.name.formatted).toBe('Another User');

    const deactivation = {
      schemas: [PATCH_SCHEMA],
      Operations: [{ op: 'replace', value: { active: false } }],
    };
    expect((await scim.patch(id, deactivation)).status).toBe(204);
    expect((await scim.show(id)).status).toBe(404);
    expect((await scim.get(byUserName)).body.totalResults).toBe(0);

    const back = await scim.create(USER);
    expect([back.status, back.body.id, back.body.name.formatted]).toEqual([201, id, 'Another User']);
    expect((await scim.get('?startIndex=1&count=100')).body).toMatchObject({
      totalResults: 1,
      itemsPerPage: 1,
    });
    expect((await scim.delete(id)).status).toBe(204);
    expect((await scim.get('?startIndex=1&count=100')).body.totalResults).toBe(0);
    const { rows } = await app.current.database.query(
      `SELECT id FROM users WHERE email = 'test.user@okta.local'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('never gets a password in, nor out', async () => {
    await scim.create({
      ...USER,
      externalId: 'x',
      userName: 'pw@okta.local',
      emails: [{ value: 'pw@okta.local' }],
    });
    const { body } = await scim.show('x');
    expect(JSON.stringify(body)).not.toContain(USER.password);
    const { rows } = await app.current.database.query(
      `SELECT password_digest FROM users WHERE email = 'pw@okta.local'`,
    );
    expect(rows).toEqual([{ password_digest: null }]);
  });
});
