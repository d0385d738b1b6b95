import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { DiffRefs } from '../merge-requests/merge-request.entity';
import { MergeRequestVersion } from './merge-request-version.entity';

/** A version and what it is made of. */
export interface NewVersion extends DiffRefs {
  readonly realSize: number;
  /** Newest first. */
  readonly commitShas: readonly string[];
}

@Injectable()
export class MergeRequestVersionsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  page(mergeRequestId: number, request: PageRequest): Promise<Page<MergeRequestVersion>> {
    const query = this.database.manager
      .createQueryBuilder(MergeRequestVersion, 'version')
      .where('version.mergeRequestId = :mergeRequestId', { mergeRequestId })
      .orderBy('version.id', 'DESC');
    return paginate(query, request);
  }

  find(mergeRequestId: number, id: number): Promise<MergeRequestVersion | null> {
    return this.database.manager.findOneBy(MergeRequestVersion, { mergeRequestId, id });
  }

  /** Heads of the newest versions, `most` of them at most, newest first. */
  async newestHeads(mergeRequestId: number, most: number): Promise<string[]> {
    const rows = await this.database.prepared<{ head_sha: string }>(
      'newest_heads_of_merge_request',
      'SELECT head_sha FROM merge_request_versions WHERE merge_request_id = $1 ORDER BY id DESC LIMIT $2',
      [mergeRequestId, most],
    );
    return rows.map((row) => row.head_sha);
  }

  /** Adds a version, whose commits take the place of those of the one before. Answers its id. */
  async add(mergeRequestId: number, version: NewVersion): Promise<number> {
    const { headSha, baseSha, startSha, realSize } = version;
    const { manager } = this.database;
    const row = manager.create(MergeRequestVersion, { mergeRequestId, headSha, baseSha, startSha, realSize });
    await manager.insert(MergeRequestVersion, row);
    await this.database.prepared(
      'forget_merge_request_commits',
      'DELETE FROM merge_request_commits WHERE merge_request_id = $1',
      [mergeRequestId],
    );
    await this.database.prepared(
      'add_merge_request_commits',
      `INSERT INTO merge_request_commits (merge_request_id, sha, position)
       SELECT $1, sha, position FROM unnest($2::text[]) WITH ORDINALITY AS commit (sha, position)`,
      [mergeRequestId, [...version.commitShas]],
    );
    return row.id;
  }
}
