import type { ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { memberProjects, someMemberProjects } from './member-projects';

/** A statement that is given the ids of so many projects finds its way from these to what is in them. */
const FEW = 500;

const OPEN_TO = {
  users: `p.visibility IN ('public', 'internal')`,
  all: `p.visibility = 'public'`,
} as const;

/** Who looks; null where nobody is signed in. */
type Viewer = Pick<ActorUser, 'id' | 'isAdmin' | 'isExternal'> | null;

/** A project that somebody may read something of. */
export interface LevelledProject {
  readonly id: number;
  /** Of the viewer; 0 where they are no member. */
  readonly level: number;
}

/** For lists across projects: those that the caller may see something of, where these are few among all there are. */
@Injectable()
export class FewProjectsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The projects, those inside of the group alone where there is one, for which `rule` holds: SQL over the project `p` and
   * `level`, the viewer's. Null where the viewer sees too many projects for that, which costs no more than to look at
   * that many.
   */
  async where(viewer: Viewer, rule: string, groupId: number | null): Promise<LevelledProject[] | null> {
    const ids = await this.around(viewer);
    if (ids === null || ids.length === 0) return ids === null ? null : [];
    return this.database.manager.query(
      `WITH ${memberProjects('$2::bigint')}
       SELECT p.id, level FROM (
         SELECT few.id, coalesce(member.level, 0) AS level FROM unnest($1::bigint[]) AS few(id)
         LEFT JOIN member_project member ON member.id = few.id) AS few
       JOIN projects p ON p.id = few.id JOIN namespaces n ON n.id = p.namespace_id
       WHERE NOT p.pending_delete AND NOT n.pending_delete AND (${rule})
         AND ($3::bigint IS NULL OR n.traversal_ids @> ARRAY[$3::bigint])`,
      [ids, viewer?.id ?? null, groupId],
    );
  }

  /** All projects of which the viewer could read anything, and some more perhaps. */
  private async around(viewer: Viewer): Promise<number[] | null> {
    if (viewer?.isAdmin) return null;
    const open = await this.open(viewer && !viewer.isExternal ? 'users' : 'all');
    if (open === null || viewer === null) return open;
    const own = await this.own(viewer.id);
    return own && [...new Set([...open, ...own])];
  }

  private async open(to: keyof typeof OPEN_TO): Promise<number[] | null> {
    const rows = await this.database.prepared<{ id: number }>(
      `few_projects_open_to_${to}`,
      `SELECT p.id FROM projects p WHERE ${OPEN_TO[to]} AND NOT p.pending_delete LIMIT ${FEW + 1}`,
    );
    return rows.length > FEW ? null : rows.map(({ id }) => id);
  }

  private async own(userId: number): Promise<number[] | null> {
    const rows = await this.database.prepared<{ id: number }>(
      'few_projects_of_member',
      someMemberProjects('$1::bigint', FEW + 1),
      [userId],
    );
    return rows.length > FEW ? null : rows.map(({ id }) => id);
  }
}
