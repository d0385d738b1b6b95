import { Database, lockId } from '#libs/database';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Place } from './place';

/** Less than the second after which the server would end somebody who waits in a circle. */
const LOCK_WAIT = '500ms';

const keyOf = (projectId: number): string => lockId(`groups of project ${projectId}`);

/**
 * Keeps a project in its groups while something there is given one of their labels, milestones or epics. No lock of a row
 * does that without being in the way of everybody else who changes the project. It is the first lock of whoever takes it:
 * who moves a project has it before all else.
 */
@Injectable()
export class PlaceLocks {
  constructor(private readonly database: Database) {}

  /**
   * Until the transaction ends the project stays where it is; others may keep it there too. Answers where that is: the
   * project may have been moved since the caller looked.
   */
  async keep(place: Place): Promise<Place> {
    const { projectId } = place;
    if (projectId === null) return place;
    await this.database.prepared('keep_place', 'SELECT pg_advisory_xact_lock_shared($1::bigint)', [
      keyOf(projectId),
    ]);
    // A statement of its own: that of the lock does not see what was moved while it waited.
    const [row] = await this.database.prepared<{ namespaceId: number }>(
      'kept_place',
      'SELECT namespace_id AS "namespaceId" FROM projects WHERE id = $1',
      [projectId],
    );
    return row ? { projectId, namespaceId: row.namespaceId } : place;
  }

  /** As `keep`, for whoever looked up what is allowed in the groups: throws "404 Not found" where they are others by now. */
  async keepHere(place: Place): Promise<void> {
    const { namespaceId } = await this.keep(place);
    if (namespaceId !== place.namespaceId) throw notFound();
  }

  /** As `keep`, for several projects. */
  async keepAll(projectIds: readonly number[]): Promise<void> {
    await this.database.prepared(
      'keep_places',
      'SELECT pg_advisory_xact_lock_shared(key) FROM unnest($1::bigint[]) AS key',
      [projectIds.toSorted((a, b) => a - b).map(keyOf)],
    );
  }

  /**
   * From now on nobody keeps the project where it is, until the transaction ends. This, and whatever else is waited for
   * from here on, is not waited for long.
   */
  async moving(projectId: number): Promise<void> {
    await this.database.manager.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
    await this.database.manager.query('SELECT pg_advisory_xact_lock($1::bigint)', [keyOf(projectId)]);
  }
}
