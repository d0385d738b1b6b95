import type { TestApplication } from './application';
import type { BuiltUser } from './builders';
import { Passwords } from '../../src/identity/identity.api';

export const PASSWORD = 'correct horse battery';

/** Somebody with a password. `columns` of users may make them unconfirmed, blocked and the like. */
export async function person(
  app: TestApplication,
  columns: Readonly<Record<string, unknown>> = {},
  options: Parameters<TestApplication['build']['user']>[0] = {},
): Promise<BuiltUser> {
  const user = await app.build.user(options);
  const all = { password_digest: await app.nest.get(Passwords).hash(PASSWORD), ...columns };
  const names = Object.keys(all);
  const assignments = names.map((name, index) => `${name} = $${index + 2}`).join(', ');
  await app.database.query(`UPDATE users SET ${assignments} WHERE id = $1`, [user.id, ...Object.values(all)]);
  return user;
}
