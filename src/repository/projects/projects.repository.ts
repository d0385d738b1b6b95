import type { Visibility } from '#libs/access';
import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { RoutesRepository } from '../../identity/identity.api';
import { PROJECT_COLUMNS, PROJECT_TABLES } from '../callers/caller-statement';
import { ForkRelationsRepository } from '../forks/fork-relations.repository';
import type { ProtectedBranch } from '../protected-branches/protected-branch.entity';
import { PushRule } from '../push-rules/push-rule.entity';
import { RULES_OF_PROJECT, ruleOf, type RuleRow } from '../protected-branches/rule-row';
import { Project } from './project.entity';
import type { ProjectAttributes } from './project-attributes';
import { projectOf, type ProjectRow } from './project-row';

/** A new project's columns; what is left out has its default. */
export type NewProject = ProjectAttributes &
  Pick<Project, 'id' | 'namespaceId' | 'creatorId' | 'name' | 'path' | 'repositoryStorage' | 'diskPath'>;

const FROM_ID = `SELECT ${PROJECT_COLUMNS} FROM ${PROJECT_TABLES} WHERE NOT p.pending_delete AND NOT n.pending_delete`;

interface RuledRow {
  project: ProjectRow;
  rules: RuleRow[];
  push_rule: object | null;
}

export interface ProjectWithRules {
  readonly project: Project;
  readonly rules: readonly ProtectedBranch[];
  readonly pushRule: PushRule | null;
}

@Injectable()
export class ProjectsRepository {
  constructor(
    private readonly database: Database,
    private readonly routes: RoutesRepository,
    private readonly forks: ForkRelationsRepository,
  ) {}

  async find(id: number): Promise<Project | null> {
    const [row] = await this.database.prepared<ProjectRow>('project_by_id', `${FROM_ID} AND p.id = $1`, [id]);
    return row ? projectOf(row) : null;
  }

  /** A project and the rules on pushes to it as they are at one moment; null when there is no such project. */
  async findWithRules(id: number): Promise<ProjectWithRules | null> {
    const [row] = await this.database.prepared<RuledRow>(
      'project_with_rules',
      `SELECT row_to_json(found) AS project,
         coalesce((SELECT json_agg(rule) FROM (${RULES_OF_PROJECT}) rule), '[]') AS rules,
         (SELECT row_to_json(rule) FROM push_rules rule WHERE rule.project_id = $1) AS push_rule
       FROM (${FROM_ID} AND p.id = $1) found`,
      [id],
    );
    if (!row) return null;
    return {
      project: projectOf(row.project),
      rules: row.rules.map(ruleOf),
      pushRule: row.push_rule && hydrate(PushRule, row.push_rule),
    };
  }

  /** In the order of the ids; those of no project are left out. */
  async findMany(ids: readonly number[]): Promise<Project[]> {
    if (ids.length === 0) return [];
    const text = `${FROM_ID} AND p.id = ANY($1::bigint[]) ORDER BY array_position($1::bigint[], p.id)`;
    const rows = await this.database.prepared<ProjectRow>('projects_by_ids', text, [ids]);
    return rows.map(projectOf);
  }

  /** A project that was deleted and waits to be removed, without its namespace; null once it is. */
  findDeleted(id: number): Promise<Project | null> {
    return this.database.manager.findOneBy(Project, { id, pendingDelete: true });
  }

  /** An id that no project has had. */
  async nextId(): Promise<number> {
    const text = `SELECT nextval(pg_get_serial_sequence('projects', 'id')) AS id`;
    const [row] = await this.database.prepared<{ id: number }>('next_project_id', text);
    if (!row) throw new Error('a sequence always gives a number');
    return row.id;
  }

  /** Inserts the project with its route; call it in a transaction. Throws the driver's error when a name is taken. */
  async insert(project: NewProject): Promise<void> {
    await this.database.manager.insert(Project, project);
    const [route]: { path: string }[] = await this.database.manager.query(
      `INSERT INTO routes (path, project_id)
       SELECT r.path || '/' || $2::text, $3 FROM routes r WHERE r.namespace_id = $1 FOR SHARE RETURNING path`,
      [project.namespaceId, project.path, project.id],
    );
    if (route) await this.routes.claim(route.path);
  }

  /**
   * Changes columns; a new path moves the route, and less visibility takes the forks along, both in a transaction, the
   * former in one that holds the namespace, the latter in one that holds the family. Throws the driver's error when a
   * name is taken.
   */
  async update(id: number, changes: ProjectAttributes): Promise<void> {
    await this.database.manager.update(Project, { id }, changes);
    const { path, visibility } = changes;
    if (visibility !== undefined) await this.forks.limitVisibility(id, visibility);
    if (path === undefined) return;
    const project = await this.database.manager.findOneBy(Project, { id });
    if (project) await this.routes.moveProject(id, { namespaceId: project.namespaceId, path });
  }

  /** Which of the names another project, or a group of the same full path, has in the namespace. */
  async taken(
    namespaceId: number,
    { name, path }: { name?: string | undefined; path?: string | undefined },
    exceptId: number | null,
  ): Promise<{ name: boolean; path: boolean }> {
    const [row] = await this.database.prepared<{ name: boolean; path: boolean }>(
      'taken_project_names',
      `SELECT
         EXISTS (SELECT 1 FROM projects WHERE namespace_id = $1 AND lower(name) = lower($2) AND id IS DISTINCT FROM $4) AS name,
         EXISTS (
           SELECT 1 FROM routes n JOIN routes r ON lower(r.path) = lower(n.path || '/' || $3::text)
           WHERE n.namespace_id = $1 AND r.project_id IS DISTINCT FROM $4) AS path`,
      [namespaceId, name ?? null, path ?? null, exceptId],
    );
    return row ?? { name: false, path: false };
  }

  /** How many projects are in the personal namespace. */
  countIn(namespaceId: number): Promise<number> {
    return this.database.manager.countBy(Project, { namespaceId, pendingDelete: false });
  }

  async addMember(projectId: number, userId: number, level: number): Promise<void> {
    await this.database.manager.query(
      `INSERT INTO members (source_kind, source_id, user_id, access_level, created_by_id) VALUES ('project', $1, $2, $3, $2)`,
      [projectId, userId, level],
    );
  }

  /** Hides the project from everybody, sets its names free and ends its being a fork; call it in a transaction. */
  async markDeleted(id: number): Promise<void> {
    await this.forks.detach(id);
    await this.database.manager.query(
      `UPDATE projects SET pending_delete = true, name = '-deleted-' || id, path = '-deleted-' || id, updated_at = now()
       WHERE id = $1`,
      [id],
    );
    await this.database.manager.query('DELETE FROM routes WHERE project_id = $1', [id]);
  }

  /**
   * Keeps the project and its forks as they are until the transaction ends: before its visibility changes. Answers the
   * visibility of the project it was forked from; null where there is none.
   */
  holdFamily(id: number): Promise<Visibility | null> {
    return this.forks.holdFamily(id);
  }

  /** Removes a project and all that hangs on it; call it in a transaction. */
  async remove(id: number): Promise<void> {
    // It holds the project before what is in it; who has come in before holds these first, and goes first.
    await this.database.manager.query(`SET LOCAL lock_timeout = '500ms'`);
    await this.forks.holdFamily(id);
    await this.database.manager.query(
      `DELETE FROM members WHERE source_kind = 'project' AND source_id = $1`,
      [id],
    );
    await this.database.manager.query(
      `DELETE FROM internal_ids WHERE scope_kind = 'project' AND scope_id = $1`,
      [id],
    );
    await this.database.manager.delete(Project, { id });
  }

  async noteMaintenance(id: number): Promise<void> {
    await this.database.prepared(
      'note_project_maintenance',
      'UPDATE projects SET writes_since_maintenance = 0 WHERE id = $1',
      [id],
    );
  }
}
