import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { PROJECT_COLUMNS, PROJECT_TABLES } from '../callers/caller-statement';
import type { Project } from './project.entity';
import { projectOf, type ProjectRow } from './project-row';

@Injectable()
export class ProjectsRepository {
  constructor(private readonly database: Database) {}

  async find(id: number): Promise<Project | null> {
    const [row] = await this.database.prepared<ProjectRow>(
      'project_by_id',
      `SELECT ${PROJECT_COLUMNS} FROM ${PROJECT_TABLES} WHERE p.id = $1 AND NOT p.pending_delete`,
      [id],
    );
    return row ? projectOf(row) : null;
  }

  /** Marks a project as active now and answers its default branch; `firstBranch` becomes it where there was none. */
  async noteActivity(id: number, firstBranch: string | null): Promise<string | null> {
    const [row] = await this.database.prepared<{ default_branch: string | null }>(
      'note_project_activity',
      `UPDATE projects SET last_activity_at = now(), default_branch = coalesce(default_branch, $2) WHERE id = $1
       RETURNING default_branch`,
      [id, firstBranch],
    );
    return row?.default_branch ?? null;
  }
}
