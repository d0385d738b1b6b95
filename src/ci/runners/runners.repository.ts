import { Level } from '#libs/access';
import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { LIVE_MEMBER } from '../../identity/identity.api';
import { projectLevel } from '../../repository/repository.api';
import type { Served } from './runner-details';
import { Runner, type RunnerKind } from './runner.entity';

export interface RunnerFilter {
  readonly kind?: RunnerKind | undefined;
  readonly status?: 'active' | 'paused' | 'online' | 'offline' | undefined;
  /** Runners with all of these tags. */
  readonly tags?: readonly string[] | undefined;
}

export type NewRunner = Omit<
  Runner,
  'id' | 'createdAt' | 'updatedAt' | 'isOnline' | 'status' | 'hear' | 'facts'
>;

const MOST_SERVED = 1_000;
const ONLINE = `runner.contactedAt > now() - interval '1 hour'`;

/** Of a user in project p, whose namespace is n. */
const levelOf = (user: string): string =>
  projectLevel({ user, project: 'p.id', owner: 'n.owner_id', traversal: 'n.traversal_ids' });

/** Runners that user :userId looks after: of projects as a maintainer, of groups as an owner. */
const OWN = `(
  (runner.kind = 'project' AND EXISTS (
    SELECT 1 FROM runner_projects served JOIN projects p ON p.id = served.project_id
    JOIN namespaces n ON n.id = p.namespace_id
    WHERE served.runner_id = runner.id AND ${levelOf(':userId')} >= ${Level.maintainer}))
  OR (runner.kind = 'group' AND EXISTS (
    SELECT 1 FROM runner_groups served JOIN namespaces n ON n.id = served.group_id
    JOIN members m ON m.source_kind = 'namespace' AND m.source_id = ANY(n.traversal_ids)
    WHERE served.runner_id = runner.id AND m.user_id = :userId AND m.access_level >= ${Level.owner}
      AND ${LIVE_MEMBER})))`;

/** Runners that project :projectId may be served by. */
const FOR_PROJECT = `(
  runner.kind = 'instance'
  OR (runner.kind = 'project' AND EXISTS (
    SELECT 1 FROM runner_projects served WHERE served.runner_id = runner.id AND served.project_id = :projectId))
  OR (runner.kind = 'group' AND EXISTS (
    SELECT 1 FROM runner_groups served JOIN projects p ON p.id = :projectId JOIN namespaces n ON n.id = p.namespace_id
    WHERE served.runner_id = runner.id AND served.group_id = ANY(n.traversal_ids))))`;

@Injectable()
export class RunnersRepository {
  constructor(private readonly database: Database) {}

  all(filter: RunnerFilter, page: PageRequest): Promise<Page<Runner>> {
    return paginate(this.query(filter), page);
  }

  ownedBy(userId: number, filter: RunnerFilter, page: PageRequest): Promise<Page<Runner>> {
    return paginate(this.query(filter).andWhere(OWN, { userId }), page);
  }

  forProject(projectId: number, filter: RunnerFilter, page: PageRequest): Promise<Page<Runner>> {
    return paginate(this.query(filter).andWhere(FOR_PROJECT, { projectId }), page);
  }

  find(id: number): Promise<Runner | null> {
    return this.database.manager.findOneBy(Runner, { id });
  }

  /** Locks it for the rest of the transaction. */
  hold(id: number): Promise<Runner | null> {
    return this.database.manager.findOne(Runner, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  byDigest(digest: Buffer): Promise<Runner | null> {
    return this.database.manager.findOneBy(Runner, { digest });
  }

  async byIds(ids: readonly (number | null)[]): Promise<ReadonlyMap<number, Runner>> {
    const wanted = [...new Set(ids)].filter((id) => id !== null);
    if (wanted.length === 0) return new Map();
    const rows = await this.database.manager
      .createQueryBuilder(Runner, 'runner')
      .where('runner.id = ANY(:wanted)', { wanted })
      .getMany();
    return new Map(rows.map((runner) => [runner.id, runner]));
  }

  async isOwnedBy(runnerId: number, userId: number): Promise<boolean> {
    const query = this.query({}).andWhere('runner.id = :runnerId', { runnerId });
    return (await query.andWhere(OWN, { userId }).getCount()) > 0;
  }

  async insert(runner: NewRunner): Promise<Runner> {
    const { manager } = this.database;
    return manager.save(manager.create(Runner, runner));
  }

  save(runner: Runner): Promise<Runner> {
    return this.database.manager.save(runner);
  }

  /** What it says of itself, and that it is there; what people say of it may change meanwhile. */
  async noteFacts(runner: Runner): Promise<void> {
    const { id, name, version, revision, platform, architecture, ipAddress, contactedAt } = runner;
    await this.database.manager.update(
      Runner,
      { id },
      { name, version, revision, platform, architecture, ipAddress, contactedAt },
    );
  }

  /** Whether there is such a runner, which then stays until the transaction ends. */
  async stays(id: number): Promise<boolean> {
    const text = 'SELECT 1 FROM runners WHERE id = $1 FOR KEY SHARE';
    return (await this.database.prepared('runner_stays', text, [id])).length > 0;
  }

  async remove(id: number): Promise<void> {
    await this.database.manager.delete(Runner, { id });
  }

  /** False where it serves the project already. */
  async serveProject(runnerId: number, projectId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'runner_serves_project',
      `INSERT INTO runner_projects (runner_id, project_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`,
      [runnerId, projectId],
    );
    return rows.length > 0;
  }

  async serveGroup(runnerId: number, groupId: number): Promise<void> {
    await this.database.prepared(
      'runner_serves_group',
      `INSERT INTO runner_groups (runner_id, group_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [runnerId, groupId],
    );
  }

  /** False where it did not serve it. */
  async leaveProject(runnerId: number, projectId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'runner_leaves_project',
      'DELETE FROM runner_projects WHERE runner_id = $1 AND project_id = $2 RETURNING 1',
      [runnerId, projectId],
    );
    return rows.length > 0;
  }

  /** `userId`: those alone that the user is a member of; null: all. */
  projectsOf(runnerId: number, userId: number | null): Promise<Served[]> {
    return this.database.prepared<Served>(
      'projects_of_runner',
      `SELECT p.id, p.name, p.path, r.path AS "fullPath", CASE WHEN n.parent_id IS NULL THEN n.name ELSE (
         SELECT string_agg(a.name, ' / ' ORDER BY array_position(n.traversal_ids, a.id))
         FROM namespaces a WHERE a.id = ANY(n.traversal_ids)) END || ' / ' || p.name AS "fullName"
       FROM runner_projects served JOIN projects p ON p.id = served.project_id AND NOT p.pending_delete
       JOIN routes r ON r.project_id = p.id JOIN namespaces n ON n.id = p.namespace_id
       WHERE served.runner_id = $1 AND ($2::bigint IS NULL OR ${levelOf('$2::bigint')} > 0)
       ORDER BY p.id LIMIT ${MOST_SERVED}`,
      [runnerId, userId],
    );
  }

  /** `userId`: those alone that the user is a member of; null: all. */
  groupsOf(runnerId: number, userId: number | null): Promise<Served[]> {
    return this.database.prepared<Served>(
      'groups_of_runner',
      `SELECT n.id, n.name, n.path, r.path AS "fullPath", n.name AS "fullName"
       FROM runner_groups served JOIN namespaces n ON n.id = served.group_id AND NOT n.pending_delete
       JOIN routes r ON r.namespace_id = n.id
       WHERE served.runner_id = $1 AND ($2::bigint IS NULL OR EXISTS (
         SELECT 1 FROM members m WHERE m.source_kind = 'namespace' AND m.source_id = ANY(n.traversal_ids)
           AND m.user_id = $2 AND ${LIVE_MEMBER}))
       ORDER BY n.id LIMIT ${MOST_SERVED}`,
      [runnerId, userId],
    );
  }

  /** How many projects it serves, up to two. */
  async countProjects(runnerId: number): Promise<number> {
    const rows = await this.database.prepared(
      'few_projects_of_runner',
      'SELECT 1 FROM runner_projects WHERE runner_id = $1 LIMIT 2',
      [runnerId],
    );
    return rows.length;
  }

  /** Whether there is one to serve: a group or a project that is not deleted. */
  async exists(kind: 'group' | 'project', id: number): Promise<boolean> {
    const text =
      kind === 'group'
        ? `SELECT 1 FROM namespaces WHERE id = $1 AND kind = 'group' AND NOT pending_delete`
        : 'SELECT 1 FROM projects WHERE id = $1 AND NOT pending_delete';
    return (await this.database.prepared(`holder_of_runners_${kind}`, text, [id])).length > 0;
  }

  private query({ kind, status, tags }: RunnerFilter): SelectQueryBuilder<Runner> {
    const query = this.database.manager.createQueryBuilder(Runner, 'runner').where('true');
    if (kind !== undefined) query.andWhere('runner.kind = :kind', { kind });
    if (status === 'active') query.andWhere('runner.active');
    if (status === 'paused') query.andWhere('NOT runner.active');
    if (status === 'online') query.andWhere(ONLINE);
    if (status === 'offline') query.andWhere(`NOT coalesce(${ONLINE}, false)`);
    if (tags && tags.length > 0) query.andWhere('runner.tagList @> :tags', { tags });
    return query.orderBy('runner.id', 'DESC');
  }
}
