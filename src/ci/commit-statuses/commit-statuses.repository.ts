import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { CountedStatus } from '../pipelines/status';
import { CommitStatus } from './commit-status.entity';

/** The stage of whatever is reported from outside. */
const EXTERNAL_STAGE = 'external';

export interface StatusFilter {
  readonly ref?: string | undefined;
  readonly stage?: string | undefined;
  readonly name?: string | undefined;
  /** Every status, not only the latest of each name and ref. */
  readonly all: boolean;
}

@Injectable()
export class CommitStatusesRepository {
  constructor(private readonly database: Database) {}

  ofCommit(
    projectId: number,
    sha: string,
    filter: StatusFilter,
    page: PageRequest,
  ): Promise<Page<CommitStatus>> {
    const query = this.database.manager
      .createQueryBuilder(CommitStatus, 'status')
      .where('status.projectId = :projectId AND status.sha = :sha', { projectId, sha })
      .orderBy('status.id', 'ASC');
    if (filter.ref !== undefined) query.andWhere('status.ref = :ref', { ref: filter.ref });
    if (filter.stage !== undefined) query.andWhere('status.stage = :stage', { stage: filter.stage });
    if (filter.name !== undefined) query.andWhere('status.name = :name', { name: filter.name });
    if (!filter.all) {
      query.andWhere(`NOT EXISTS (
        SELECT 1 FROM commit_statuses later
        WHERE later.project_id = status.project_id AND later.sha = status.sha AND later.ref = status.ref
          AND later.name = status.name AND later.id > status.id)`);
    }
    return paginate(query, page);
  }

  named(pipelineId: number, name: string): Promise<CommitStatus | null> {
    return this.database.manager.findOneBy(CommitStatus, { pipelineId, name, stage: EXTERNAL_STAGE });
  }

  /** The different statuses of a pipeline, which is all that its own depends on. */
  counted(pipelineId: number): Promise<CountedStatus[]> {
    return this.database.prepared<CountedStatus>(
      'counted_statuses_of_pipeline',
      'SELECT DISTINCT status, allow_failure AS "allowFailure" FROM commit_statuses WHERE pipeline_id = $1',
      [pipelineId],
    );
  }

  create(
    values: Pick<CommitStatus, 'projectId' | 'pipelineId' | 'sha' | 'ref' | 'name' | 'authorId'>,
  ): CommitStatus {
    return this.database.manager.create(CommitStatus, {
      ...values,
      stage: EXTERNAL_STAGE,
      allowFailure: false,
      targetUrl: null,
      description: null,
      coverage: null,
      startedAt: null,
      finishedAt: null,
    });
  }

  save(status: CommitStatus): Promise<CommitStatus> {
    return this.database.manager.save(status);
  }
}
