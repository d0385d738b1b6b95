import type { Visibility } from '#libs/access';
import { Database, hydrate, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../planning/planning.api';
import type { SelectQueryBuilder } from 'typeorm';
import { Snippet } from './snippet.entity';

/** What the viewer of a list sees: everything, or what is of these visibilities, and their own. */
export type SnippetScope =
  'everything' | { readonly open: readonly Visibility[]; readonly authorId: number | null };

export type SnippetColumns = Pick<
  Snippet,
  'projectId' | 'authorId' | 'title' | 'fileName' | 'description' | 'content' | 'visibility'
>;
export type SnippetChanges = Partial<Omit<SnippetColumns, 'projectId' | 'authorId'>>;

/** All but the content, which `contentOf` reads. */
const RECORD =
  'id, project_id, author_id, title, file_name, description, visibility, user_notes_count, created_at, updated_at';

@Injectable()
export class SnippetsRepository {
  constructor(private readonly database: Database) {}

  /** The newest first, as all lists here. */
  inProject(projectId: number, scope: SnippetScope, request: PageRequest): Promise<Page<Snippet>> {
    const query = this.newestFirst().where('snippet.projectId = :projectId', { projectId });
    if (scope !== 'everything') {
      query.andWhere('(snippet.visibility IN (:...open) OR snippet.authorId = :authorId)', scope);
    }
    return paginate(query, request);
  }

  /** Somebody's personal snippets. */
  ofAuthor(authorId: number, request: PageRequest): Promise<Page<Snippet>> {
    const query = this.newestFirst().where('snippet.authorId = :authorId AND snippet.projectId IS NULL', {
      authorId,
    });
    return paginate(query, request);
  }

  /** Personal snippets that are shown to everybody. */
  public(request: PageRequest): Promise<Page<Snippet>> {
    const query = this.newestFirst().where(`snippet.projectId IS NULL AND snippet.visibility = 'public'`);
    return paginate(query, request);
  }

  /** Null also where the snippet is in another place than asked for; a project's id, or null for personal ones. */
  find(projectId: number | null, id: number): Promise<Snippet | null> {
    return this.one(
      'snippet_in_place',
      'SELECT $columns FROM snippets WHERE id = $2 AND project_id IS NOT DISTINCT FROM $1::bigint',
      [projectId, id],
    );
  }

  /** Locked until the transaction ends. */
  findForChange(projectId: number | null, id: number): Promise<Snippet | null> {
    return this.one(
      'snippet_for_change',
      'SELECT $columns FROM snippets WHERE id = $2 AND project_id IS NOT DISTINCT FROM $1::bigint FOR NO KEY UPDATE',
      [projectId, id],
    );
  }

  /** Null where the snippet has just been removed. */
  async contentOf(id: number): Promise<string | null> {
    const rows = await this.database.prepared<{ content: string }>(
      'content_of_snippet',
      'SELECT content FROM snippets WHERE id = $1',
      [id],
    );
    return rows[0]?.content ?? null;
  }

  /** Null where it is not known. */
  async originOf(id: number): Promise<RequestOrigin | null> {
    const [origin] = await this.database.prepared<{ userAgent: string; ipAddress: string }>(
      'origin_of_snippet',
      `SELECT user_agent AS "userAgent", ip_address AS "ipAddress" FROM snippets
       WHERE id = $1 AND user_agent IS NOT NULL AND ip_address IS NOT NULL`,
      [id],
    );
    return origin ?? null;
  }

  /** Null where the project is just being removed. */
  insert(columns: SnippetColumns, origin: RequestOrigin): Promise<Snippet | null> {
    const { projectId, authorId, title, fileName, description, content, visibility } = columns;
    return this.one(
      'new_snippet',
      `INSERT INTO snippets (project_id, author_id, title, file_name, description, content, visibility,
         user_agent, ip_address)
       SELECT $1::bigint, $2::bigint, $3, $4, $5, $6, $7, $8, $9
       WHERE $1::bigint IS NULL OR EXISTS (SELECT 1 FROM projects p WHERE p.id = $1 AND NOT p.pending_delete FOR SHARE)
       RETURNING $columns`,
      [
        projectId,
        authorId,
        title,
        fileName,
        description,
        content,
        visibility,
        origin.userAgent,
        origin.ipAddress,
      ],
    );
  }

  async update(id: number, changes: SnippetChanges): Promise<void> {
    await this.database.manager.update(Snippet, { id }, { ...changes, updatedAt: new Date() });
  }

  async remove(id: number): Promise<void> {
    await this.database.prepared('remove_snippet', 'DELETE FROM snippets WHERE id = $1', [id]);
  }

  private newestFirst(): SelectQueryBuilder<Snippet> {
    return this.database.manager.createQueryBuilder(Snippet, 'snippet').orderBy('snippet.id', 'DESC');
  }

  private async one(name: string, text: string, values: readonly unknown[]): Promise<Snippet | null> {
    const [row] = await this.database.prepared(name, text.replace('$columns', RECORD), values);
    return row ? hydrate(Snippet, row) : null;
  }
}
