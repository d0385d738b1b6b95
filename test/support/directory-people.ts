import type { TestApplication } from './application';
import type { BuiltUser } from './builders';
import type { DirectoryServer } from './directory-server';

/** Somebody who is in the directory and has signed in here before. */
export async function knownPerson(
  app: TestApplication,
  directory: DirectoryServer,
  uid: string,
  provider = 'ldapmain',
): Promise<BuiltUser & { readonly dn: string }> {
  const user = await app.build.user({ username: uid });
  const dn = directory.person(uid, { cn: [user.name], mail: [user.email] });
  await app.database.query('INSERT INTO identities (user_id, provider, extern_uid) VALUES ($1, $2, $3)', [
    user.id,
    provider,
    dn,
  ]);
  return { ...user, dn };
}

/** Level and origin of the direct members, by username. */
export async function membersOf(
  app: TestApplication,
  group: { id: number },
): Promise<Record<string, string>> {
  const { rows } = await app.database.query<{ username: string; level: number; ldap: boolean }>(
    `SELECT u.username, m.access_level AS level, m.ldap FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.source_kind = 'namespace' AND m.source_id = $1 AND m.requested_at IS NULL ORDER BY u.username`,
    [group.id],
  );
  return Object.fromEntries(
    rows.map(({ username, level, ldap }) => [username, `${level}${ldap ? ' by directory' : ''}`]),
  );
}
