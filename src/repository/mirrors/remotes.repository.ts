import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** A run that has a project's remote to itself; `id` is the job's, so that its next attempt may go on with it. */
export interface RemoteRun {
  readonly projectId: number;
  readonly id: string;
}

/** What a run has to know of the remote it begins with. */
export interface ClaimedRemote {
  readonly sealedUrl: Buffer;
  /** False until everything has come over for the first time. */
  readonly isImported: boolean;
  /** Failures in a row. */
  readonly retryCount: number;
}

export interface RemoteState {
  readonly retryCount: number;
  /** A run has it, or one waits. */
  readonly isUnderWay: boolean;
  readonly lastUpdateAt: Date | null;
}

export interface RunOutcome {
  /** Null when all went well. */
  readonly error: string | null;
  readonly retryCount: number;
  /** Null for no further update by itself. */
  readonly nextUpdateAt: Date | null;
}

/** How long a run may take until another may begin. */
const LEASE = `interval '70 minutes'`;
/** When a scheduled update that never began (its job was lost) is scheduled again. */
const FALLBACK = `interval '2 hours'`;

/** Where projects come from, and how their updates went. */
@Injectable()
export class RemotesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Replaces what there was; a run that is under way loses its claim. Answers whether the project has all it was to
   * begin with: a first import that is under way has to begin again.
   */
  async keep(projectId: number, sealedUrl: Buffer, options: { isImported: boolean }): Promise<boolean> {
    // Nothing else would tell that what it brings is not wanted any more.
    await this.database.manager.query(
      `UPDATE projects SET import_status = 'finished' FROM project_remotes r
       WHERE id = $1 AND r.project_id = id AND r.runner IS NOT NULL AND import_status = 'started'`,
      [projectId],
    );
    const [row]: { isImported: boolean }[] = await this.database.manager.query(
      `INSERT INTO project_remotes (project_id, sealed_url, is_imported) VALUES ($1, $2, $3)
       ON CONFLICT (project_id) DO UPDATE SET sealed_url = excluded.sealed_url, runner = NULL, runs_until = NULL,
         retry_count = 0, last_update_at = NULL, last_successful_update_at = NULL, updated_at = now()
       RETURNING is_imported AS "isImported"`,
      [projectId, sealedUrl, options.isImported],
    );
    return row?.isImported ?? options.isImported;
  }

  /** An import that is under way will not tell its end; what fills the project otherwise will. */
  async forget(projectId: number): Promise<void> {
    await this.database.manager.query(
      `WITH gone AS (DELETE FROM project_remotes WHERE project_id = $1 RETURNING project_id, runner)
       UPDATE projects SET import_status = 'none' FROM gone
       WHERE id = gone.project_id
         AND (import_status = 'scheduled' OR (import_status = 'started' AND gone.runner IS NOT NULL))`,
      [projectId],
    );
  }

  /** Whether the project's content is on its way from elsewhere than its remote, as a fork's is. Locks the project. */
  async isFilledOtherwise(projectId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'is_filled_otherwise',
      `SELECT 1 FROM projects p LEFT JOIN project_remotes r ON r.project_id = p.id
       WHERE p.id = $1 AND p.import_status = 'started' AND r.runner IS NULL FOR NO KEY UPDATE OF p`,
      [projectId],
    );
    return rows.length > 0;
  }

  /**
   * Keeps runs from beginning and ending until the transaction does. Whoever changes a remote and its project locks them
   * in this order.
   */
  async lock(projectId: number): Promise<void> {
    await this.database.prepared(
      'lock_remote',
      'SELECT 1 FROM project_remotes WHERE project_id = $1 FOR UPDATE',
      [projectId],
    );
  }

  async has(projectId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'has_remote',
      'SELECT 1 FROM project_remotes WHERE project_id = $1',
      [projectId],
    );
    return rows.length > 0;
  }

  /** With the row locked until the end of the transaction; null where there is no remote. */
  async hold(projectId: number): Promise<RemoteState | null> {
    const [row] = await this.database.prepared<{
      retryCount: number;
      isUnderWay: boolean;
      lastUpdateAt: Date | null;
    }>(
      'hold_remote',
      `SELECT r.retry_count AS "retryCount", r.last_update_at AS "lastUpdateAt",
         p.import_status = 'scheduled' OR coalesce(r.runs_until > now(), false) AS "isUnderWay"
       FROM project_remotes r JOIN projects p ON p.id = r.project_id WHERE r.project_id = $1 FOR UPDATE OF r`,
      [projectId],
    );
    return row ?? null;
  }

  /** Notes that a job was queued; in the transaction that queues it. */
  async noteScheduled(projectId: number, options: { forgetFailures: boolean }): Promise<void> {
    await this.database.prepared(
      'schedule_remote',
      `WITH shown AS (UPDATE projects SET import_status = 'scheduled' WHERE id = $1)
       UPDATE project_remotes SET next_update_at = now() + ${FALLBACK},
         retry_count = CASE WHEN $2 THEN 0 ELSE retry_count END WHERE project_id = $1`,
      [projectId, options.forgetFailures],
    );
  }

  async postpone(projectId: number, nextUpdateAt: Date | null): Promise<void> {
    await this.database.prepared(
      'postpone_remote',
      'UPDATE project_remotes SET next_update_at = $2 WHERE project_id = $1',
      [projectId, nextUpdateAt],
    );
  }

  /**
   * The projects whose time has come, the longest due of them, in the order of their ids; their remotes are locked for
   * this transaction, those that others have locked are left out.
   */
  async due(most: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'due_remotes',
      `SELECT r.project_id AS id FROM project_remotes r
       WHERE r.next_update_at <= now() ORDER BY r.next_update_at, r.project_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [most],
    );
    return rows.map(({ id }) => id).sort((one, other) => one - other);
  }

  /** Null where another run has it, or there is no remote any more. */
  async claim({ projectId, id }: RemoteRun): Promise<ClaimedRemote | null> {
    const [row] = await this.database.prepared<{
      sealedUrl: Buffer;
      isImported: boolean;
      retryCount: number;
    }>(
      'claim_remote',
      `WITH claimed AS (
         UPDATE project_remotes SET runner = $2, runs_until = now() + ${LEASE}
         WHERE project_id = $1 AND (runner IS NULL OR runner = $2 OR runs_until <= now())
         RETURNING sealed_url, is_imported, retry_count),
       shown AS (UPDATE projects SET import_status = 'started' FROM claimed WHERE id = $1)
       SELECT sealed_url AS "sealedUrl", is_imported AS "isImported", retry_count AS "retryCount" FROM claimed`,
      [projectId, id],
    );
    return row ?? null;
  }

  /** Whether nobody has changed the remote, or taken it over, since the run began. */
  async isClaimedBy({ projectId, id }: RemoteRun): Promise<boolean> {
    const rows = await this.database.prepared(
      'is_remote_claimed',
      'SELECT 1 FROM project_remotes WHERE project_id = $1 AND runner = $2',
      [projectId, id],
    );
    return rows.length > 0;
  }

  /** Ends a run; does nothing for one that has lost its claim. */
  async finish({ projectId, id }: RemoteRun, outcome: RunOutcome): Promise<void> {
    await this.database.prepared(
      'finish_remote',
      `WITH ended AS (
         UPDATE project_remotes SET runner = NULL, runs_until = NULL, last_update_at = now(), retry_count = $4,
           next_update_at = $5, is_imported = is_imported OR $3::text IS NULL,
           last_successful_update_at = CASE WHEN $3::text IS NULL THEN now() ELSE last_successful_update_at END
         WHERE project_id = $1 AND runner = $2 RETURNING project_id)
       UPDATE projects SET import_error = $3::text,
         import_status = CASE WHEN $3::text IS NULL THEN 'finished' ELSE 'failed' END
       FROM ended WHERE projects.id = ended.project_id`,
      [projectId, id, outcome.error, outcome.retryCount, outcome.nextUpdateAt],
    );
  }
}
