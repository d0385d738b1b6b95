import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** A project's own repository, or that of its wiki. */
export type CheckedKind = 'repository' | 'wiki';

/** What is known of a repository that is to be checked. */
export interface DueCheck {
  readonly projectId: number;
  readonly kind: CheckedKind;
  /** Of the refs it had when it was found whole less than a week ago; null where it has to be looked at whatever they are. */
  readonly wholeWith: Buffer | null;
}

export interface CheckResult {
  readonly checksum: Buffer | null;
  readonly failure: string | null;
  /** Objects were looked at, not the refs alone. */
  readonly isThorough: boolean;
}

/** Whoever takes a check has a day for it; a process that dies over it gives it back so. */
const TAKE = `
  UPDATE repository_checks AS check_ SET due_at = now() + interval '1 day'
  FROM (
    SELECT project_id, kind FROM repository_checks WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
  ) AS next
  WHERE check_.project_id = next.project_id AND check_.kind = next.kind
  RETURNING check_.project_id AS "projectId", check_.kind,
    CASE WHEN check_.failure IS NULL AND check_.checked_at > now() - interval '6 days' THEN check_.checksum END AS "wholeWith"`;

/** A write that came meanwhile has made it due within minutes: so it stays. */
const KEEP = `
  UPDATE repository_checks SET checksum = $2, failure = $3, checked_at = CASE WHEN $4 THEN now() ELSE checked_at END,
    due_at = CASE WHEN due_at < now() + interval '11 minutes' THEN due_at ELSE
      CASE WHEN $4 THEN now() ELSE checked_at END + interval '7 days' END
  WHERE project_id = $1 AND kind = $5`;

const MARK = `
  INSERT INTO repository_checks (project_id, kind, due_at)
  SELECT id, $2, now() + interval '10 minutes' FROM projects WHERE id = $1 FOR KEY SHARE
  ON CONFLICT (project_id, kind) DO UPDATE SET due_at = excluded.due_at WHERE repository_checks.due_at > excluded.due_at`;

/** Which repositories are to be looked at, and what the last look at each has said. */
@Injectable()
export class RepositoryChecksRepository {
  constructor(private readonly database: Database) {}

  /** A repository that was written to is due soon. */
  async markWritten(projectId: number, kind: CheckedKind): Promise<void> {
    await this.database.prepared('repository_check_is_due', MARK, [projectId, kind]);
  }

  /** The check that is due longest, for this caller alone; null where none is. */
  async take(): Promise<DueCheck | null> {
    const [due] = await this.database.prepared<DueCheck>('take_repository_check', TAKE);
    return due ?? null;
  }

  async keep(
    { projectId, kind }: Pick<DueCheck, 'projectId' | 'kind'>,
    { checksum, failure, isThorough }: CheckResult,
  ): Promise<void> {
    const values = [projectId, checksum, failure, isThorough, kind];
    await this.database.prepared('keep_repository_check', KEEP, values);
  }
}
