import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** A commit that somebody has said something about. */
export interface DiscussedCommit {
  readonly id: number;
  readonly sha: string;
}

/** The rows that stand for commits, so that notes hang on them as on everything else. */
@Injectable()
export class DiscussedCommitsRepository {
  constructor(private readonly database: Database) {}

  /** Null where nobody has said anything about it. */
  async find(projectId: number, sha: string): Promise<DiscussedCommit | null> {
    const text = 'SELECT id, sha FROM discussed_commits WHERE project_id = $1 AND sha = $2';
    const [row] = await this.database.prepared<{ id: number; sha: string }>('discussed_commit_by_sha', text, [
      projectId,
      sha,
    ]);
    return row ?? null;
  }

  async findById(id: number): Promise<DiscussedCommit | null> {
    const [row] = await this.database.prepared<{ id: number; sha: string }>(
      'discussed_commit',
      'SELECT id, sha FROM discussed_commits WHERE id = $1',
      [id],
    );
    return row ?? null;
  }

  /** The row, made where there is none: one for each commit, whoever asks at the same time. */
  async take(projectId: number, sha: string): Promise<DiscussedCommit> {
    const [row] = await this.database.prepared<{ id: number; sha: string }>(
      'take_discussed_commit',
      `INSERT INTO discussed_commits (project_id, sha) VALUES ($1, $2)
       ON CONFLICT (project_id, sha) DO UPDATE SET sha = excluded.sha RETURNING id, sha`,
      [projectId, sha],
    );
    if (!row) throw new Error('a commit that is taken has a row');
    return row;
  }
}
