import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { LanguageShare } from './project-languages';

/** What was found last, together with the commit it was found in. */
const KEEP = `
  WITH project AS (SELECT id FROM projects WHERE id = $1 FOR KEY SHARE),
  marked AS (
    INSERT INTO project_statistics (project_id, languages_tip) SELECT id, $2 FROM project
    ON CONFLICT (project_id) DO UPDATE SET languages_tip = excluded.languages_tip),
  found AS (SELECT * FROM unnest($3::text[], $4::bigint[]) AS language(name, bytes)),
  gone AS (DELETE FROM project_languages WHERE project_id = $1 AND name <> ALL($3::text[]))
  INSERT INTO project_languages (project_id, name, bytes)
  SELECT project.id, found.name, found.bytes FROM project, found
  ON CONFLICT (project_id, name) DO UPDATE SET bytes = excluded.bytes WHERE project_languages.bytes <> excluded.bytes`;

/** The languages of projects. */
@Injectable()
export class LanguagesRepository {
  constructor(private readonly database: Database) {}

  /** The most used first. */
  ofProject(projectId: number): Promise<LanguageShare[]> {
    return this.database.prepared<LanguageShare>(
      'languages_of_project',
      'SELECT name, bytes FROM project_languages WHERE project_id = $1 ORDER BY bytes DESC, name',
      [projectId],
    );
  }

  /** The commit that the kept languages are of; null where none were looked for, or there was no commit. */
  async detectedIn(projectId: number): Promise<string | null> {
    const text = 'SELECT languages_tip AS tip FROM project_statistics WHERE project_id = $1';
    const [row] = await this.database.prepared<{ tip: string | null }>('tip_of_languages', text, [projectId]);
    return row?.tip ?? null;
  }

  async keep(projectId: number, tip: string | null, languages: ReadonlyMap<string, number>): Promise<void> {
    const values = [projectId, tip, [...languages.keys()], [...languages.values()]];
    await this.database.prepared('keep_project_languages', KEEP, values);
  }
}
