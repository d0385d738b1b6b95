import { useApplication, type TestApplication } from '../../support/application';
import { PATCH_SCHEMA, provider, SCIM, type ScimClient } from '../../support/scim-client';

/** Requests in the shapes that Microsoft's documentation of Entra ID's provisioning shows, with and without `aadOptscim062020`. */
const app = useApplication();
const keeping = useApplication({ SCIM_KEEP_INACTIVE: 'true' });

const user = (suffix: string) => ({
  schemas: [
    'urn:ietf:params:scim:schemas:core:2.0:User',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  ],
  externalId: `0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef-${suffix}`,
  userName: `Test_User_${suffix}`,
  active: true,
  emails: [{ primary: true, type: 'work', value: `Test_User_${suffix}@testuser.example` }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
});
const patch = (...Operations: object[]) => ({ schemas: [PATCH_SCHEMA], Operations });

async function connected(to: TestApplication): Promise<ScimClient> {
  const owner = await to.build.user();
  const group = await to.build.group({ members: { owner } });
  return (await provider(to, owner, group)).scim;
}

describe('Microsoft Entra', () => {
  it('provisions, looks up, updates, disables, enables and deletes', async () => {
    const scim = await connected(app.current);
    const sent = user('a');
    const probe = await scim.filter('userName eq "3f1b8a52-0c4e-4a4f-9f4e-6b7e7d3f3d11"');
    expect([probe.status, probe.body.totalResults, probe.body.Resources]).toEqual([200, 0, []]);
    expect(probe.headers['content-type']).toBe(SCIM);

    const { status, body } = await scim.create(sent);
    expect([status, body.userName, body.emails]).toEqual([201, sent.userName, sent.emails]);
    const id = String(body.id);
    expect((await scim.filter(`externalId eq "${sent.externalId}"`)).body.Resources).toEqual([body]);
    expect((await scim.filter(`userName eq "${sent.userName}"`)).body.Resources).toEqual([body]);

    const update = patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.example' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'IT',
      },
    );
    expect((await scim.patch(id, update)).status).toBe(204);
    expect((await scim.show(id)).body).toMatchObject({
      emails: [{ value: 'updatedEmail@microsoft.example' }],
      name: { formatted: 'givenName updatedFamilyName', familyName: 'updatedFamilyName' },
    });
    const renaming = patch({ op: 'Replace', path: 'userName', value: 'renamed_by_entra' });
    expect((await scim.patch(id, renaming)).status).toBe(204);
    expect((await scim.filter('userName eq "renamed_by_entra"')).body.totalResults).toBe(1);

    const disabling = patch({ op: 'Replace', path: 'active', value: 'False' });
    expect((await scim.patch(id, disabling)).status).toBe(204);
    const gone = await scim.filter('userName eq "renamed_by_entra"');
    expect([gone.status, gone.body.totalResults]).toEqual([200, 0]);

    const back = await scim.create({ ...sent, userName: 'renamed_by_entra' });
    expect([back.status, back.body.userName]).toEqual([201, 'renamed_by_entra']);
    expect((await scim.delete(id)).status).toBe(204);
    expect((await scim.show(id)).status).toBe(404);
  });

  it('sends compliant operations where it was told to', async () => {
    const scim = await connected(app.current);
    const { body } = await scim.create(user('b'));
    const update = patch({
      op: 'replace',
      value: {
        displayName: 'Bjfe',
        'name.givenName': 'Kkom',
        'name.familyName': 'Unua',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': '37507',
        active: true,
      },
    });
    expect((await scim.patch(body.id, update)).status).toBe(204);
    expect((await scim.show(body.id)).body.displayName).toBe('Bjfe');
    const disabling = patch({ op: 'replace', path: 'active', value: false });
    expect((await scim.patch(body.id, disabling)).status).toBe(204);
    expect((await scim.show(body.id)).status).toBe(404);
  });

  it('finds whom it has disabled, and enables them again, where the installation keeps them', async () => {
    const scim = await connected(keeping.current);
    const sent = user('c');
    const { body } = await scim.create(sent);
    const active = (value: unknown) => scim.patch(body.id, patch({ op: 'Replace', path: 'active', value }));
    expect((await active('False')).status).toBe(204);
    expect((await scim.show(body.id)).body).toMatchObject({ id: body.id, active: false });
    expect((await scim.filter(`userName eq "${sent.userName}"`)).body.Resources[0].active).toBe(false);
    expect((await scim.filter(`id eq "${body.id}" and active eq true`)).body.totalResults).toBe(0);
    expect((await scim.get('?startIndex=1')).body).toMatchObject({
      totalResults: 1,
      Resources: [{ active: false }],
    });
    const members = async () => {
      const { rows } = await keeping.current.database.query(
        `SELECT m.access_level FROM members m JOIN users u ON u.id = m.user_id JOIN identities i ON i.user_id = u.id
         WHERE u.username = $1`,
        [sent.userName],
      );
      return rows;
    };
    expect(await members()).toEqual([]);
    expect(
      (await scim.patch(body.id, patch({ op: 'Replace', path: 'externalId', value: 'moved' }))).status,
    ).toBe(204);
    expect((await scim.show('moved')).body.active).toBe(false);
    expect((await scim.patch('moved', patch({ op: 'Replace', path: 'active', value: 'True' }))).status).toBe(
      204,
    );
    expect((await scim.show('moved')).body.active).toBe(true);
    expect(await members()).toEqual([{ access_level: 10 }]);
    await scim.patch('moved', patch({ op: 'Replace', path: 'active', value: false }));
    expect((await scim.create({ ...sent, externalId: 'moved' })).body).toMatchObject({
      id: 'moved',
      active: true,
    });
    expect((await scim.delete('moved')).status).toBe(204);
    expect((await scim.show('moved')).status).toBe(404);
  });
});
