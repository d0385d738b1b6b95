import { createHash } from 'node:crypto';
import type { Client } from 'pg';

/** How many notes are on one issue. */
export const NOTES = 1_000_000;
/** In Unix seconds: the n-th note is written n seconds later, and changed at the same moment. */
export const WRITTEN_AT = 1_500_000_000;
export const READER_TOKEN = 'token-of-the-reader';

/** A public project with two issues; of the first one's notes each 20th is the system's, each 100th a mention by the other. */
const STATEMENTS = [
  `INSERT INTO users (id, username, name, email, state, confirmed_at)
   SELECT i, 'user-' || i, 'Name ' || i, 'user-' || i || '@example.com', 'active', now() FROM generate_series(1, 1000) AS i`,
  `INSERT INTO namespaces (id, kind, owner_id, name, path, traversal_ids) VALUES (1, 'user', 1, 'user-1', 'user-1', '{1}')`,
  `INSERT INTO routes (path, namespace_id) VALUES ('user-1', 1)`,
  `INSERT INTO projects (id, namespace_id, creator_id, name, path, visibility, repository_storage, disk_path)
   VALUES (1, 1, 1, 'Project', 'project', 'public', 'default', 'disk/1')`,
  `INSERT INTO routes (path, project_id) VALUES ('user-1/project', 1)`,
  `INSERT INTO issues (id, iid, project_id, author_id, title)
   SELECT i, i, 1, 1, 'Issue ' || i FROM generate_series(1, ${NOTES / 100} + 1) AS i`,
  `INSERT INTO notes (id, issue_id, author_id, body, system, system_action, discussion_id, from_issue_id, created_at, updated_at)
   SELECT i, 1, 1 + i % 1000, 'Note ' || i, i % 20 = 0, CASE WHEN i % 100 = 0 THEN 'cross_reference' END,
     md5(i::text) || '00000000', CASE WHEN i % 100 = 0 THEN 1 + i / 100 END,
     to_timestamp(${WRITTEN_AT} + i), to_timestamp(${WRITTEN_AT} + i)
   FROM generate_series(1, ${NOTES}) AS i`,
  'VACUUM ANALYZE',
];

/** Fills an empty database. */
export async function populateNotes(client: Client): Promise<void> {
  for (const statement of STATEMENTS) await client.query(statement);
  const digest = createHash('sha256').update(READER_TOKEN).digest();
  await client.query(
    `INSERT INTO access_tokens (kind, user_id, name, digest, scopes) VALUES ('personal', 2, 'bench', $1, '{api}')`,
    [digest],
  );
}
