import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Upload } from './upload.entity';

export type NewUpload = Pick<
  Upload,
  'projectId' | 'authorId' | 'secret' | 'fileName' | 'contentType' | 'size'
>;

const toUpload = (row: object): Upload => hydrate(Upload, row);

@Injectable()
export class UploadsRepository {
  constructor(private readonly database: Database) {}

  /** Before there is a file, so that one without an end is found again. Null where the project is deleted. */
  async insert(upload: NewUpload): Promise<Upload | null> {
    const { projectId, authorId, secret, fileName, contentType, size } = upload;
    const [row] = await this.database.prepared(
      'new_upload',
      `INSERT INTO uploads (project_id, author_id, secret, file_name, content_type, size)
       SELECT p.id, $2, $3, $4, $5, $6 FROM projects p WHERE p.id = $1 AND NOT p.pending_delete FOR SHARE
       RETURNING *`,
      [projectId, authorId, secret, fileName, contentType, size],
    );
    return row ? toUpload(row) : null;
  }

  /**
   * Call it in a transaction: the project is not deleted until that ends. False where it is already, and with it what
   * its removal finds in the storage.
   */
  async markStored(id: number): Promise<boolean> {
    const held = await this.database.prepared(
      'hold_project_of_upload',
      `SELECT 1 FROM uploads u JOIN projects p ON p.id = u.project_id
       WHERE u.id = $1 AND NOT p.pending_delete FOR SHARE OF p`,
      [id],
    );
    if (held.length === 0) return false;
    await this.database.prepared('upload_is_stored', 'UPDATE uploads SET is_stored = true WHERE id = $1', [
      id,
    ]);
    return true;
  }

  async findStored(projectId: number, secret: string): Promise<Upload | null> {
    const text = 'SELECT * FROM uploads WHERE project_id = $1 AND secret = $2 AND is_stored';
    const [row] = await this.database.prepared('stored_upload', text, [projectId, secret]);
    return row ? toUpload(row) : null;
  }

  /** Those of the secrets that a file of the project has. */
  async storedAmong(projectId: number, secrets: readonly string[]): Promise<Upload[]> {
    const rows = await this.database.prepared(
      'stored_uploads_among',
      'SELECT * FROM uploads WHERE project_id = $1 AND secret = ANY($2::text[]) AND is_stored',
      [projectId, secrets],
    );
    return rows.map(toUpload);
  }

  /** Some of those that have been begun more than a day ago and will have no end, after the id. */
  async abandoned(afterId: number, most: number): Promise<Upload[]> {
    const rows = await this.database.prepared(
      'abandoned_uploads',
      `SELECT * FROM uploads WHERE NOT is_stored AND created_at < now() - interval '1 day' AND id > $1
       ORDER BY id LIMIT $2`,
      [afterId, most],
    );
    return rows.map(toUpload);
  }

  /** Of one that is taken back: from now on it is one that has no end, and found as such. */
  async unmarkStored(id: number): Promise<void> {
    const text = 'UPDATE uploads SET is_stored = false WHERE id = $1';
    await this.database.prepared('upload_is_not_stored', text, [id]);
  }

  /** One that was never stored. */
  async forget(id: number): Promise<void> {
    await this.database.prepared('forget_upload', 'DELETE FROM uploads WHERE id = $1 AND NOT is_stored', [
      id,
    ]);
  }
}
