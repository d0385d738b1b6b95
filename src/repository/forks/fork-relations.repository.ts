import { exceedsVisibility, VISIBILITIES, type Visibility } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** The project $1 and what was forked from it, however often. UNION ends a walk that would go round. */
const DESCENDANTS = `
  inside AS (
    SELECT $1::bigint AS id
    UNION SELECT fork.id FROM inside JOIN projects fork ON fork.forked_from_project_id = inside.id)`;

const moreVisibleThan = (visibility: Visibility): Visibility[] =>
  VISIBILITIES.filter((other) => exceedsVisibility(other, visibility));

/**
 * Which project was forked from which, how many forks each has, and the networks they make up. All in a transaction;
 * whoever changes both ends of a relation locks them in the order of their ids.
 */
@Injectable()
export class ForkRelationsRepository {
  constructor(private readonly database: Database) {}

  /** Keeps others from changing the projects; answers which of them are there and not deleted. */
  async lock(ids: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.database.prepared<{ id: number; deleted: boolean }>(
      'lock_projects',
      `SELECT id, pending_delete AS deleted FROM projects WHERE id = ANY($1::bigint[])
       ORDER BY id FOR NO KEY UPDATE`,
      [ids],
    );
    return new Set(rows.filter(({ deleted }) => !deleted).map(({ id }) => id));
  }

  /**
   * Keeps others from changing the project, the one it was forked from, and all that were forked from it, however often:
   * what changes or ends the visibility of several of them locks them in one order, or two of them would wait for each
   * other. Answers the visibility of the source; null where there is none.
   */
  async holdFamily(projectId: number): Promise<Visibility | null> {
    const rows = await this.database.prepared<{ id: number; visibility: Visibility; deleted: boolean }>(
      'hold_fork_family',
      `WITH RECURSIVE ${DESCENDANTS}
       SELECT id, visibility, pending_delete AS deleted FROM projects WHERE id = ANY(
         ARRAY(SELECT id FROM inside) || (SELECT forked_from_project_id FROM projects WHERE id = $1))
       ORDER BY id FOR NO KEY UPDATE`,
      [projectId],
    );
    const sourceId = await this.sourceOf(projectId);
    return rows.find(({ id, deleted }) => id === sourceId && !deleted)?.visibility ?? null;
  }

  /** As holdFamily, for what changes the project and its source alone. */
  async holdWithSource(projectId: number): Promise<void> {
    const source = await this.sourceOf(projectId);
    await this.lock(source === null ? [projectId] : [projectId, source]);
  }

  /** Id of the project that this one was forked from; null for none. */
  async sourceOf(projectId: number): Promise<number | null> {
    const text = 'SELECT forked_from_project_id AS source FROM projects WHERE id = $1';
    const [row] = await this.database.prepared<{ source: number | null }>('source_of_fork', text, [
      projectId,
    ]);
    return row?.source ?? null;
  }

  /** Whether the project is the other one, or was forked from it, be it through forks in between. */
  async descends(projectId: number, fromId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'fork_descends',
      `WITH RECURSIVE above AS (
         SELECT $1::bigint AS id
         UNION SELECT p.forked_from_project_id FROM above JOIN projects p ON p.id = above.id
         WHERE p.forked_from_project_id IS NOT NULL)
       SELECT 1 FROM above WHERE id = $2`,
      [projectId, fromId],
    );
    return rows.length > 0;
  }

  /**
   * Counts the fork and takes it, with the forks it has itself, into the network of its source. Answers the visibility
   * of the source, which it keeps until the transaction ends; null where it is deleted meanwhile, and nothing changed.
   */
  async attach(forkId: number, sourceId: number): Promise<Visibility | null> {
    const [source] = await this.database.prepared<{ visibility: Visibility }>(
      'count_fork',
      `UPDATE projects SET forks_count = forks_count + 1 WHERE id = $1 AND NOT pending_delete
       RETURNING visibility`,
      [sourceId],
    );
    if (!source) return null;
    await this.database.prepared(
      'set_fork_source',
      'UPDATE projects SET forked_from_project_id = $2 WHERE id = $1 AND forked_from_project_id IS DISTINCT FROM $2',
      [forkId, sourceId],
    );
    await this.joinNetwork(forkId, await this.networkOf(sourceId));
    return source.visibility;
  }

  /**
   * Makes the project no fork any more; its own forks stay its forks, in a network of their own. False where it was none.
   */
  async detach(projectId: number): Promise<boolean> {
    await this.holdWithSource(projectId);
    const [fork] = await this.database.prepared<{ source: number }>(
      'unset_fork_source',
      `WITH former AS (
         SELECT id, forked_from_project_id AS source FROM projects WHERE id = $1 AND forked_from_project_id IS NOT NULL)
       UPDATE projects SET forked_from_project_id = NULL FROM former WHERE projects.id = former.id
       RETURNING former.source`,
      [projectId],
    );
    if (!fork) return false;
    await this.database.prepared(
      'uncount_fork',
      'UPDATE projects SET forks_count = greatest(forks_count - 1, 0) WHERE id = $1',
      [fork.source],
    );
    await this.leaveNetwork(projectId);
    return true;
  }

  /** Makes the project itself no more visible than that. */
  async lowerVisibility(projectId: number, visibility: Visibility): Promise<void> {
    await this.database.prepared(
      'lower_visibility_of_fork',
      'UPDATE projects SET visibility = $3 WHERE id = $1 AND visibility = ANY($2::text[])',
      [projectId, moreVisibleThan(visibility), visibility],
    );
  }

  /** A fork shows itself to nobody who does not see its source: makes those that would as visible as the source. */
  async limitVisibility(sourceId: number, visibility: Visibility): Promise<void> {
    await this.database.prepared(
      'limit_visibility_of_forks',
      `WITH RECURSIVE exceeding AS (
         SELECT fork.id FROM projects fork
         WHERE fork.forked_from_project_id = $1 AND fork.visibility = ANY($2::text[])
         UNION SELECT fork.id FROM exceeding JOIN projects fork ON fork.forked_from_project_id = exceeding.id
         WHERE fork.visibility = ANY($2::text[]))
       UPDATE projects SET visibility = $3, updated_at = now() FROM exceeding WHERE projects.id = exceeding.id`,
      [sourceId, moreVisibleThan(visibility), visibility],
    );
  }

  /** The network that the project is in; one that begins with it where it is in none. */
  private async networkOf(projectId: number): Promise<number> {
    const text = 'SELECT network_id AS id FROM fork_network_members WHERE project_id = $1';
    const [member] = await this.database.prepared<{ id: number }>('network_of_project', text, [projectId]);
    if (member) return member.id;
    const [made] = await this.database.prepared<{ id: number }>(
      'begin_fork_network',
      `WITH made AS (
         INSERT INTO fork_networks (root_project_id) VALUES ($1)
         ON CONFLICT (root_project_id) WHERE root_project_id IS NOT NULL
         DO UPDATE SET root_project_id = excluded.root_project_id RETURNING id)
       INSERT INTO fork_network_members (project_id, network_id) SELECT $1, made.id FROM made RETURNING network_id AS id`,
      [projectId],
    );
    if (!made) throw new Error('a network was made in this transaction');
    return made.id;
  }

  private async joinNetwork(projectId: number, networkId: number): Promise<void> {
    await this.database.prepared(
      'join_fork_network',
      `WITH RECURSIVE ${DESCENDANTS}
       INSERT INTO fork_network_members (project_id, network_id) SELECT inside.id, $2 FROM inside
       ON CONFLICT (project_id) DO UPDATE SET network_id = excluded.network_id`,
      [projectId, networkId],
    );
  }

  private async leaveNetwork(projectId: number): Promise<void> {
    const text = 'DELETE FROM fork_network_members WHERE project_id = $1';
    await this.database.prepared('leave_fork_network', text, [projectId]);
    const forks = await this.database.prepared(
      'has_forks',
      'SELECT 1 FROM projects WHERE forked_from_project_id = $1 LIMIT 1',
      [projectId],
    );
    if (forks.length > 0) await this.joinNetwork(projectId, await this.networkOf(projectId));
  }
}
