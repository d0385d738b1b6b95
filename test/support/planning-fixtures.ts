import type { Client } from 'pg';
import type { AccessRow } from './access-row';

let iid = 0;

/** Open, straight in the database, for tests of what it only happens to have. */
export async function mergeRequestIn(
  database: Client,
  project: { id: number },
  author: { id: number },
  columns: { milestoneId?: number } = {},
): Promise<number> {
  iid += 1;
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO merge_requests
       (iid, project_id, source_project_id, source_branch, target_branch, author_id, title, milestone_id)
     VALUES ($1, $2, $2, $3, 'master', $4, $3, $5) RETURNING id`,
    [iid, project.id, `change-${iid}`, author.id, columns.milestoneId ?? null],
  );
  return Number(rows[0]?.id);
}

export async function labelled(
  database: Client,
  labelId: number,
  column: 'issue_id' | 'merge_request_id' | 'epic_id',
  id: number,
): Promise<void> {
  await database.query(`INSERT INTO label_links (label_id, ${column}) VALUES ($1, $2)`, [labelId, id]);
}

/** What everybody gets where signing in comes first, and whoever reads the project reads this. */
export const SIGNED_IN_READ_ROW: AccessRow = {
  'anonymous public': 401,
  'anonymous internal': 401,
  'anonymous private': 401,
  'stranger public': 200,
  'stranger internal': 200,
  'stranger private': 404,
  guest: 200,
  reporter: 200,
  developer: 200,
  maintainer: 200,
  owner: 200,
  admin: 200,
};

/** The same where reporters, or developers, may write. */
export const signedInWriteRow = (least: 'reporter' | 'developer', status: number): AccessRow => ({
  ...SIGNED_IN_READ_ROW,
  'stranger public': 403,
  'stranger internal': 403,
  guest: 403,
  reporter: least === 'reporter' ? status : 403,
  developer: status,
  maintainer: status,
  owner: status,
  admin: status,
});
