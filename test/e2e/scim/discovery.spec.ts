import { useApplication } from '../../support/application';
import { ERROR_SCHEMA, person, provider, SCIM, type ScimClient } from '../../support/scim-client';

const app = useApplication();
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

let scim: ScimClient;
beforeAll(async () => {
  const owner = await app.current.build.user();
  const group = await app.current.build.group({ members: { owner } });
  ({ scim } = await provider(app.current, owner, group));
});

const body = async (path: string) => {
  const answer = await scim.at(path);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, SCIM]);
  return answer.body;
};

describe('GET /api/scim/v2/groups/:group_path/ServiceProviderConfig', () => {
  it('is true to what is supported', async () => {
    const config = await body('/ServiceProviderConfig');
    expect(config).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 100 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken', primary: true }],
      meta: {
        resourceType: 'ServiceProviderConfig',
        location: `http://service.test${scim.base}/ServiceProviderConfig`,
      },
    });
    expect((await scim.at('/Bulk')).status).toBe(404);
    expect((await scim.get('?startIndex=1&count=1000')).status).toBe(200);
  });
});

describe('GET /api/scim/v2/groups/:group_path/ResourceTypes', () => {
  it('has users alone', async () => {
    const { totalResults, Resources } = await body('/ResourceTypes');
    expect(totalResults).toBe(1);
    expect(Resources[0]).toMatchObject({ id: 'User', endpoint: '/Users', schema: USER });
    expect((await scim.at('/Groups')).status).toBe(404);
  });
});

describe('GET /api/scim/v2/groups/:group_path/ResourceTypes/:name', () => {
  it('answers the one, at its location', async () => {
    const type = await body('/ResourceTypes/User');
    expect(type.meta.location).toBe(`http://service.test${scim.base}/ResourceTypes/User`);
    expect((await scim.at('/ResourceTypes/Group')).body).toMatchObject({
      schemas: [ERROR_SCHEMA],
      status: '404',
    });
  });
});

describe('GET /api/scim/v2/groups/:group_path/Schemas', () => {
  it('describes every attribute that a user has, and no other', async () => {
    const { Resources } = await body('/Schemas');
    const names = Resources[0].attributes.map(({ name }: { name: string }) => name);
    const { body: user } = await scim.create(person('described'));
    const common = ['schemas', 'id', 'externalId', 'meta'];
    const shown = Object.keys(user).filter((name) => !common.includes(name) && name !== 'name.formatted');
    expect(names.sort()).toEqual(shown.sort());
    for (const { name, subAttributes = [] } of Resources[0].attributes) {
      const value = name === 'emails' ? user.emails[0] : user[name];
      if (subAttributes.length > 0)
        expect(subAttributes.map((sub: { name: string }) => sub.name).sort()).toEqual(
          Object.keys(value).sort(),
        );
    }
  });
});

describe('GET /api/scim/v2/groups/:group_path/Schemas/:name', () => {
  it('answers the one, at its location', async () => {
    const schema = await body(`/Schemas/${USER}`);
    expect([schema.id, schema.meta.location]).toEqual([
      USER,
      `http://service.test${scim.base}/Schemas/${USER}`,
    ]);
    expect((await scim.at('/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group')).status).toBe(404);
  });
});
