import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';
import { person, provider, type ScimClient } from '../../support/scim-client';

const app = useApplication();
const AT_ONCE = 8;

let owner: BuiltUser;
let group: BuiltGroup;
let scim: ScimClient;
beforeEach(async () => {
  owner = await app.current.build.user();
  group = await app.current.build.group({ members: { owner } });
  ({ scim } = await provider(app.current, owner, group));
});

const times = <T>(work: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => work(turn)));
const count = async (text: string, values: unknown[] = []): Promise<number> =>
  Number((await app.current.database.query(`SELECT count(*) AS n FROM ${text}`, values)).rows[0].n);

describe('requests at once', () => {
  it('bring one user once, and answer all the same', async () => {
    const answers = await times(async () => scim.create(person('same')));
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await count(`users WHERE username LIKE 'same%'`)).toBe(1);
    expect(await count('members WHERE source_id = $1', [group.id])).toBe(2);
  });

  it('bring users of one name with different usernames', async () => {
    const answers = await times(async (turn) =>
      scim.create(
        person('twin', { externalId: `twin-${turn}`, emails: [{ value: `twin-${turn}@corp.example` }] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
    expect(new Set(answers.map(({ body }) => body.userName)).size).toBe(AT_ONCE);
  });

  it('give an e-mail to one alone', async () => {
    const answers = await times(async (turn) =>
      scim.create(person(`rival${turn}`, { emails: [{ value: 'one@corp.example' }] })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(AT_ONCE - 1).fill(409)]);
    expect(await count(`users WHERE username LIKE 'rival%'`)).toBe(1);
  });

  it('take a user out once', async () => {
    await scim.create(person('leaver'));
    const answers = await times(async () => scim.delete('id-of-leaver'));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      204,
      ...Array<number>(AT_ONCE - 1).fill(404),
    ]);
  });

  it('never leave a group without an owner', async () => {
    const admin = await app.current.build.user({ admin: true });
    const names = ['boss1', 'boss2'];
    for (const name of names) {
      await scim.create(person(name));
      const { rows } = await app.current.database.query('SELECT id FROM users WHERE username = $1', [name]);
      await app.current.as(admin).put(`/groups/${group.id}/members/${rows[0].id}`, { access_level: 50 });
    }
    await app.current.as(admin).delete(`/groups/${group.id}/members/${owner.id}`);
    const answers = await Promise.all(names.map(async (name) => scim.delete(`id-of-${name}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412]);
  });

  it('bring, change and take out in any order, without errors and without halves', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, async () => scim.create(person('busy'))),
      ...Array.from({ length: 4 }, async () => scim.delete('id-of-busy')),
      ...Array.from({ length: 4 }, async (_, turn) =>
        scim.patch('id-of-busy', [
          { op: 'replace', value: { displayName: `Busy ${turn}`, active: turn % 2 === 0 } },
        ]),
      ),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => ![201, 204, 404].includes(status))).toEqual(
      [],
    );
    const identities = await count(`identities i JOIN users u ON u.id = i.user_id WHERE u.username = 'busy'`);
    const members = await count(
      `members m JOIN users u ON u.id = m.user_id WHERE u.username = 'busy' AND m.source_id = $1`,
      [group.id],
    );
    expect(identities).toBe(members);
    expect(await count(`users WHERE username LIKE 'busy%'`)).toBe(1);
  });
});
