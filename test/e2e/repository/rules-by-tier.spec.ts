import { startApplication, type TestApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

describe.each(['core', 'starter', 'premium'] as const)('rules of the tier %s', (TIER) => {
  let app: TestApplication;
  let user: BuiltUser;
  let project: BuiltProject;
  beforeAll(async () => {
    app = await startApplication({ TIER });
    user = await app.build.user();
    project = await app.build.project({ members: { maintainer: user }, files: { a: 'x' } });
  });
  afterAll(() => app.close());

  const at = (rest: string) => `/projects/${project.id}/${rest}`;
  const PREMIUM = ['commit_committer_check', 'reject_unsigned_commits'] as const;

  it('have push rules from starter on', async () => {
    const body = { commit_message_regex: '^Fixes' };
    const made = await app.as(user).post(at('push_rule'), body);
    const shown = await app.as(user).get(at('push_rule'));
    const [missing, known] = [
      [404, 404],
      [201, 200],
    ];
    expect([made.status, shown.status]).toEqual(TIER === 'core' ? missing : known);
    const isPremium = TIER === 'premium';
    for (const field of PREMIUM) {
      expect(field in shown.body).toBe(isPremium);
      const changed = await app.as(user).put(at('push_rule'), { [field]: true });
      expect(changed.status).toBe(TIER === 'core' ? 404 : isPremium ? 200 : 403);
    }
  });

  it('judge commits by what is licensed alone', async () => {
    await app.database.query(`INSERT INTO push_rules (project_id) VALUES ($1) ON CONFLICT DO NOTHING`, [
      project.id,
    ]);
    await app.database.query(
      `UPDATE push_rules SET commit_message_regex = '^Fixes', commit_committer_check = true`,
    );
    await app.database.query('UPDATE users SET confirmed_at = NULL WHERE id = $1', [user.id]);
    const commit = (content: string, commit_message: string) =>
      app.as(user).put(at('repository/files/a'), { branch: 'master', content, commit_message });
    const outcomes = [(await commit('y', 'No reference')).status, (await commit('z', 'Fixes #1')).status];
    expect(outcomes).toEqual({ core: [200, 200], starter: [400, 200], premium: [400, 400] }[TIER]);
  });

  it('name users and administrators on branches from starter on', async () => {
    const path = at('protected_branches');
    const { status, body } = await app
      .as(user)
      .post(path, { name: 'x', allowed_to_push: [{ user_id: user.id }] });
    expect(status).toBe(201);
    const [push] = body.push_access_levels;
    const [merge] = body.merge_access_levels;
    const plain = { access_level: 40, access_level_description: 'Maintainers' };
    const isCore = TIER === 'core';
    expect(merge).toEqual(isCore ? plain : { ...plain, user_id: null, group_id: null });
    expect(push).toEqual(
      isCore
        ? plain
        : { access_level: null, access_level_description: user.name, user_id: user.id, group_id: null },
    );
    const forAdmins = await app.as(user).post(path, { name: 'y', push_access_level: 60 });
    expect(forAdmins.status).toBe(isCore ? 400 : 201);
  });
});
