import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Pipeline } from './pipeline.entity';
import type { PipelineSearch } from './pipeline-search';

/** One look into the index for each ref, newest first. */
const NEWEST_OF = `pipeline.id IN (
  SELECT newest.id FROM unnest(:refs::text[]) AS wanted(ref), LATERAL (
    SELECT p.id FROM pipelines p WHERE p.project_id = :projectId AND p.ref = wanted.ref AND p.tag = :tag
    ORDER BY p.id DESC LIMIT 1) AS newest)`;

const ORDER_COLUMNS = { id: 'id', status: 'status', ref: 'ref', user_id: 'userId' } as const;
/** Pushes come one by one; what was left over is canceled by the next. */
const MOST_REDUNDANT = 100;
/** Of so many people of one name, the others' pipelines are left out. */
const MOST_USERS = 1_000;

/** Lists of pipelines. */
@Injectable()
export class PipelineSearchRepository {
  constructor(private readonly database: Database) {}

  find(projectId: number, search: PipelineSearch, page: PageRequest): Promise<Page<Pipeline>> {
    const query = this.database.manager
      .createQueryBuilder(Pipeline, 'pipeline')
      .where('pipeline.projectId = :projectId', { projectId });
    const { statuses, ref, sha, yamlErrors, userIds, newestOf } = search;
    // For one status alone there is an index in the order of the list.
    if (statuses?.length === 1) query.andWhere('pipeline.status = :status', { status: statuses[0] });
    else if (statuses) query.andWhere('pipeline.status = ANY(:statuses)', { statuses });
    if (ref !== null) query.andWhere('pipeline.ref = :ref', { ref });
    if (sha !== null) query.andWhere('pipeline.sha = :sha', { sha });
    if (yamlErrors !== null) query.andWhere(`pipeline.yamlErrors IS ${yamlErrors ? 'NOT NULL' : 'NULL'}`);
    if (userIds) query.andWhere('pipeline.userId = ANY(:userIds)', { userIds });
    if (newestOf) query.andWhere(NEWEST_OF, newestOf);
    // Ties are broken as the indexes have them, so that either direction reads along one.
    const direction = search.sort === 'asc' ? 'ASC' : 'DESC';
    query.orderBy(`pipeline.${ORDER_COLUMNS[search.orderBy]}`, direction);
    if (search.orderBy !== 'id') query.addOrderBy('pipeline.id', direction === 'ASC' ? 'DESC' : 'ASC');
    return paginate(query, page);
  }

  /** Users of that name and user name; null asks for none of the two. */
  async users(name: string | null, username: string | null): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'starters_of_pipelines',
      `SELECT id FROM users
       WHERE ($1::text IS NULL OR (name = $1 AND lower(name) = lower($1))) AND ($2::text IS NULL OR lower(username) = lower($2)) LIMIT $3`,
      [name, username, MOST_USERS],
    );
    return rows.map(({ id }) => id);
  }

  /** Newest first. */
  ofCommits(
    projectId: number,
    shas: readonly string[],
    refs: readonly string[],
    page: PageRequest,
  ): Promise<Page<Pipeline>> {
    const query = this.database.manager
      .createQueryBuilder(Pipeline, 'pipeline')
      .where('pipeline.projectId = :projectId AND pipeline.sha = ANY(:shas) AND pipeline.ref = ANY(:refs)', {
        projectId,
        shas,
        refs,
      })
      .orderBy('pipeline.id', 'DESC');
    return paginate(query, page);
  }

  /** Ids of unfinished pipelines with jobs, made before this one for the same ref, which is at another commit now. */
  async redundantBefore({ id, projectId, ref, tag }: Pipeline, head: string): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'redundant_pipelines',
      `SELECT p.id FROM pipelines p
       WHERE p.project_id = $1 AND p.ref = $2 AND p.id < $3 AND p.sha <> $4 AND p.tag = $5
         AND p.status IN ('created', 'preparing', 'pending', 'running', 'manual', 'scheduled')
         AND EXISTS (SELECT 1 FROM jobs WHERE jobs.pipeline_id = p.id)
       ORDER BY p.id DESC LIMIT $6`,
      [projectId, ref, id, head, tag, MOST_REDUNDANT],
    );
    return rows.map((row) => row.id);
  }
}
