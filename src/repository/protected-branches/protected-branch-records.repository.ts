import { Database, paginate, uniqueViolation } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { PROJECT_LEVEL } from '../callers/caller-statement';
import type { NewAccess } from './new-access';
import type { ProtectedBranchDetails } from './protected-branch';
import { ProtectedBranch, ProtectedBranchAccess } from './protected-branch.entity';

type Names = Pick<ProtectedBranchDetails, 'users' | 'groups'>;

interface NamedRow {
  id: number;
  name: string;
}

/** The rules on branches as records; what they mean for a push is the other repository's. */
@Injectable()
export class ProtectedBranchRecords {
  constructor(private readonly database: Database) {}

  /** In the order in which they were made. */
  async page(projectId: number, request: PageRequest): Promise<Page<ProtectedBranch>> {
    const query = this.database.manager
      .createQueryBuilder(ProtectedBranch, 'branch')
      .where('branch.projectId = :projectId', { projectId })
      .orderBy('branch.id', 'ASC');
    const page = await paginate(query, request);
    await this.loadAccess(page.rows);
    return page;
  }

  async find(projectId: number, name: string): Promise<ProtectedBranch | null> {
    const branch = await this.database.manager.findOneBy(ProtectedBranch, { projectId, name });
    if (branch) await this.loadAccess([branch]);
    return branch;
  }

  /** 'taken' where the name is protected already, 'full' where the project has `most` rules. */
  async insert(
    projectId: number,
    name: string,
    access: readonly NewAccess[],
    most: number,
  ): Promise<'made' | 'taken' | 'full'> {
    const { manager } = this.database;
    if ((await manager.countBy(ProtectedBranch, { projectId })) >= most) return 'full';
    try {
      await this.database.transaction(async () => {
        const branch = this.database.manager.create(ProtectedBranch, { projectId, name });
        await this.database.manager.insert(ProtectedBranch, branch);
        await this.database.manager.insert(
          ProtectedBranchAccess,
          access.map((entry) => ({ ...entry, protectedBranchId: branch.id })),
        );
      });
      return 'made';
    } catch (error) {
      if (uniqueViolation(error) === 'protected_branches_name') return 'taken';
      throw error;
    }
  }

  /** Which of the users named have access to the project, and with which of the groups it is shared. */
  async known(projectId: number, access: readonly NewAccess[]) {
    const userIds = access.flatMap(({ userId }) => userId ?? []);
    const groupIds = access.flatMap(({ groupId }) => groupId ?? []);
    return {
      users: userIds.length === 0 ? new Set<number>() : await this.usersOf(projectId, userIds),
      groups: groupIds.length === 0 ? new Set<number>() : await this.groupsOf(projectId, groupIds),
    };
  }

  /** The names of the users and groups that the rules name. */
  async namesIn(branches: readonly ProtectedBranch[]): Promise<Names> {
    const entries = branches.flatMap(({ access }) => access);
    const userIds = entries.flatMap(({ userId }) => userId ?? []);
    const groupIds = entries.flatMap(({ groupId }) => groupId ?? []);
    return {
      users: await this.namesOf(
        'named_users',
        'SELECT id, name FROM users WHERE id = ANY($1::bigint[])',
        userIds,
      ),
      groups: await this.namesOf(
        'named_groups',
        'SELECT id, name FROM namespaces WHERE id = ANY($1::bigint[])',
        groupIds,
      ),
    };
  }

  private async namesOf(name: string, text: string, ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.prepared<NamedRow>(name, text, [[...new Set(ids)]]);
    return new Map(rows.map((row) => [row.id, row.name]));
  }

  private async usersOf(projectId: number, userIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.database.prepared<{ id: number }>(
      'users_of_project_among',
      `SELECT c.user_id AS id
       FROM (SELECT u.id AS user_id FROM users u WHERE u.id = ANY($2::bigint[]) AND NOT u.pending_delete) c,
         (SELECT p.id, n.owner_id AS namespace_owner_id, n.traversal_ids AS namespace_traversal_ids
          FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $1) s
       WHERE ${PROJECT_LEVEL} > 0`,
      [projectId, userIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async groupsOf(projectId: number, groupIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.database.prepared<{ id: number }>(
      'groups_of_project_among',
      `SELECT group_id AS id FROM project_shares
       WHERE project_id = $1 AND group_id = ANY($2::bigint[]) AND (expires_at IS NULL OR expires_at > current_date)`,
      [projectId, groupIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async loadAccess(branches: readonly ProtectedBranch[]): Promise<void> {
    const ids = branches.map(({ id }) => id);
    const entries =
      ids.length === 0
        ? []
        : await this.database.manager.find(ProtectedBranchAccess, {
            where: { protectedBranchId: In(ids) },
            order: { id: 'ASC' },
          });
    for (const branch of branches)
      branch.access = entries.filter(({ protectedBranchId }) => protectedBranchId === branch.id);
  }
}
