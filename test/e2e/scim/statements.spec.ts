import { useApplication } from '../../support/application';
import { person, provider, type ScimClient } from '../../support/scim-client';
import { statementsDuring } from '../../support/statement-trace';
import { growingSteps } from '../../projections/query-plan';

const app = useApplication();
const USERS = 5_000;
/** One user and what belongs to them. */
const FEW = { looked: 50, sorted: 10, walked: 50 };
const READS = /^\s*(?:SELECT|WITH)\b/i;

let scim: ScimClient;
beforeAll(async () => {
  const owner = await app.current.build.user();
  const group = await app.current.build.group({ members: { owner } });
  ({ scim } = await provider(app.current, owner, group));
  const { database } = app.current;
  await database.query(
    `INSERT INTO users (id, username, name, email)
     SELECT 100000 + i, 'u' || i, 'Name ' || i, 'u' || i || '@corp.example' FROM generate_series(1, $1::int) i`,
    [USERS],
  );
  await database.query(
    `INSERT INTO identities (user_id, provider, extern_uid, saml_provider_id)
     SELECT 100000 + i, 'group_saml', 'uid-' || i, (SELECT id FROM saml_providers) FROM generate_series(1, $1::int) i`,
    [USERS],
  );
  await database.query(
    `INSERT INTO scim_accounts (saml_provider_id, user_id, extern_uid, user_name, provisioned, state)
     SELECT (SELECT id FROM saml_providers), 100000 + i, 'uid-' || i, 'u' || i || '@corp.example', true, 'active'
     FROM generate_series(1, $1::int) i`,
    [USERS],
  );
  await database.query(
    `INSERT INTO members (source_kind, source_id, user_id, access_level)
     SELECT 'namespace', $2, 100000 + i, 10 FROM generate_series(1, $1::int) i`,
    [USERS, group.id],
  );
  await database.query('ANALYZE');
});

describe('in a group of 5,000', () => {
  it.each([
    ['a look-up by id', async () => scim.filter('id eq "uid-77"'), 200],
    ['a look-up by the username', async () => scim.filter('userName eq "u77"'), 200],
    [
      'a look-up by the username as it was sent',
      async () => scim.filter('userName eq "u78@corp.example"'),
      200,
    ],
    ['a look-up by e-mail', async () => scim.filter('emails eq "u77@corp.example"'), 200],
    ['one user', async () => scim.show('uid-77'), 200],
    ['a user that is there', async () => scim.create(person('u79', { externalId: 'uid-79' })), 201],
    ['a new user', async () => scim.create(person('new')), 201],
    [
      'a change',
      async () => scim.patch('uid-80', [{ op: 'replace', value: { displayName: 'X', userName: 'x80' } }]),
      204,
    ],
    ['an end', async () => scim.delete('uid-81'), 204],
  ] as const)('%s looks at few rows', async (_what, work, expected) => {
    let status = 0;
    const sent = await statementsDuring(async () => {
      ({ status } = await work());
    });
    expect(status).toBe(expected);
    const problems: string[] = [];
    for (const statement of sent.filter(({ text }) => READS.test(text)))
      for (const problem of await growingSteps(app.current.database, statement, FEW))
        problems.push(`${problem}: ${statement.text.replace(/\s+/g, ' ').slice(0, 200)}`);
    expect(problems).toEqual([]);
    expect(sent.length).toBeLessThanOrEqual(40);
  });
});
