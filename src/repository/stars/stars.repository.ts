import { Database, paginateStatement, substringPattern } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { Starrer } from './starrer';

interface StarRow {
  readonly user_id: number;
  readonly created_at: Date;
}

/** Who of those who starred the project $1 shows: users with a private profile to themselves ($2) and to administrators ($3). */
const starrers = (hasPattern: boolean): string => `
  SELECT star.user_id, star.created_at FROM project_stars star JOIN users u ON u.id = star.user_id
  WHERE star.project_id = $1 AND NOT u.pending_delete AND (NOT u.private_profile OR u.id = $2 OR $3::boolean)
    ${hasPattern ? 'AND (lower(u.name) LIKE $4 OR lower(u.username) LIKE $4)' : ''}
  ORDER BY star.created_at DESC, star.user_id DESC`;

/** Stars and their number on each project, which change together in one statement. */
@Injectable()
export class StarsRepository {
  constructor(
    private readonly database: Database,
    private readonly directory: UserDirectory,
  ) {}

  /** False where the user has starred the project already. */
  async add(userId: number, projectId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'add_star',
      `WITH added AS (
         INSERT INTO project_stars (user_id, project_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING project_id)
       UPDATE projects SET star_count = star_count + 1 FROM added WHERE projects.id = added.project_id
       RETURNING projects.id`,
      [userId, projectId],
    );
    return rows.length > 0;
  }

  /** False where the user has not starred the project. */
  async remove(userId: number, projectId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'remove_star',
      `WITH removed AS (
         DELETE FROM project_stars WHERE user_id = $1 AND project_id = $2 RETURNING project_id)
       UPDATE projects SET star_count = greatest(star_count - 1, 0) FROM removed
       WHERE projects.id = removed.project_id RETURNING projects.id`,
      [userId, projectId],
    );
    return rows.length > 0;
  }

  /** Takes away stars of the user, `limit` at most; answers how many. */
  async removeSome(userId: number, limit: number): Promise<number> {
    const rows = await this.database.prepared(
      'remove_stars_of_user',
      `WITH removed AS (
         DELETE FROM project_stars WHERE user_id = $1 AND project_id = ANY(ARRAY(
           SELECT star.project_id FROM project_stars star JOIN projects p ON p.id = star.project_id
           WHERE star.user_id = $1 ORDER BY star.project_id LIMIT $2 FOR NO KEY UPDATE OF p))
         RETURNING project_id)
       UPDATE projects SET star_count = greatest(star_count - 1, 0) FROM removed
       WHERE projects.id = removed.project_id RETURNING projects.id`,
      [userId, limit],
    );
    return rows.length;
  }

  /** The latest first. */
  async starrers(
    projectId: number,
    viewer: { readonly id: number; readonly isAdmin: boolean } | null,
    search: string | undefined,
    request: PageRequest,
  ): Promise<Page<Starrer>> {
    const values = [projectId, viewer?.id ?? null, viewer?.isAdmin ?? false];
    const page = await paginateStatement<StarRow>(
      this.database,
      starrers(Boolean(search)),
      search ? [...values, substringPattern(search)] : values,
      request,
    );
    const users = await this.directory.byIds(page.rows.map((row) => row.user_id));
    const rows = page.rows.flatMap(({ user_id: userId, created_at: starredSince }) => {
      const user = users.get(userId);
      return user ? [{ user, starredSince }] : [];
    });
    return { ...page, rows };
  }
}
