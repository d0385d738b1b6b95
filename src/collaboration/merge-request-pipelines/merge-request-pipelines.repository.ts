import { Database, hydrate, paginateStatement } from '#libs/database';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Pipeline } from '../../ci/ci.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';

/** Which pipelines ran for what merge requests bring. */
@Injectable()
export class MergeRequestPipelinesRepository {
  constructor(private readonly database: Database) {}

  find(id: number): Promise<Pipeline | null> {
    return this.database.manager.findOneBy(Pipeline, { id });
  }

  /** Newest first. */
  async page(
    { id, sourceProjectId, sourceBranch }: MergeRequest,
    request: PageRequest,
  ): Promise<Page<Pipeline>> {
    const rows = `SELECT p.* FROM pipelines p WHERE p.project_id = $1 AND (
      p.merge_request_id = $2 OR p.ref = $3 AND NOT p.tag AND p.merge_request_id IS NULL AND p.sha = ANY(ARRAY(
        SELECT c.sha FROM merge_request_commits c WHERE c.merge_request_id = $2
        UNION SELECT v.head_sha FROM merge_request_versions v WHERE v.merge_request_id = $2)))`;
    const page = await paginateStatement<object>(
      this.database,
      { rows, order: 'p.id DESC' },
      [sourceProjectId, id, sourceBranch],
      request,
    );
    return mapPage(page, (row) => hydrate(Pipeline, row));
  }
}
