import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Avatar, AvatarKind, AvatarOwner } from './avatar';

const OWNERS = {
  user: { table: 'users', column: 'user_id', isShown: 'NOT o.pending_delete' },
  group: {
    table: 'namespaces',
    column: 'namespace_id',
    isShown: 'NOT o.pending_delete',
  },
  project: {
    table: 'projects',
    column: 'project_id',
    isShown: `NOT o.pending_delete
      AND EXISTS (SELECT 1 FROM namespaces n WHERE n.id = o.namespace_id AND NOT n.pending_delete)`,
  },
} as const satisfies Record<AvatarKind, object>;

interface AvatarRow {
  readonly file_name: string;
  readonly content_type: string;
  readonly content: Buffer;
  readonly updated_at: Date;
}

@Injectable()
export class AvatarsRepository {
  constructor(private readonly database: Database) {}

  /** The picture of an owner who is there; whether the caller may see the owner is not asked. */
  async find({ kind, id }: AvatarOwner): Promise<Avatar | null> {
    const { table, column, isShown } = OWNERS[kind];
    const [row] = await this.database.prepared<AvatarRow>(
      `avatar_of_${kind}`,
      `SELECT a.file_name, a.content_type, a.content, a.updated_at
       FROM avatars a JOIN ${table} o ON o.id = a.${column} WHERE a.${column} = $1 AND ${isShown}`,
      [id],
    );
    return row
      ? {
          fileName: row.file_name,
          contentType: row.content_type,
          content: row.content,
          updatedAt: row.updated_at,
        }
      : null;
  }

  /** Replaces the owner's picture and notes its name with the owner; call it in a transaction. */
  async keep({ kind, id }: AvatarOwner, avatar: Omit<Avatar, 'updatedAt'>): Promise<void> {
    const { table, column } = OWNERS[kind];
    const { fileName, contentType, content } = avatar;
    await this.database.manager.query(
      `INSERT INTO avatars (${column}, file_name, content_type, content) VALUES ($1, $2, $3, $4)
       ON CONFLICT (${column}) DO UPDATE SET file_name = excluded.file_name, content_type = excluded.content_type,
         content = excluded.content, updated_at = now()`,
      [id, fileName, contentType, content],
    );
    await this.database.manager.query(`UPDATE ${table} SET avatar = $2, updated_at = now() WHERE id = $1`, [
      id,
      fileName,
    ]);
  }
}
