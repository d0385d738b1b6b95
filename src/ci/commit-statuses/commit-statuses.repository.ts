import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { CommitStatus } from './commit-status.entity';

/** The stage of whatever is reported from outside. */
const EXTERNAL_STAGE = 'external';
const AFTER_ALL_STAGES = 1_000_000;

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
    // What is left empty asks for nothing, as in the reference.
    if (filter.ref) query.andWhere('status.ref = :ref', { ref: filter.ref });
    if (filter.stage) query.andWhere('status.stage = :stage', { stage: filter.stage });
    if (filter.name) query.andWhere('status.name = :name', { name: filter.name });
    if (!filter.all) {
      query.andWhere(`NOT status.retried AND NOT EXISTS (
        SELECT 1 FROM commit_statuses later
        WHERE later.project_id = status.project_id AND later.sha = status.sha AND later.ref = status.ref
          AND later.name = status.name AND later.kind = status.kind AND later.id > status.id)`);
    }
    return paginate(query, page);
  }

  named(pipelineId: number, name: string): Promise<CommitStatus | null> {
    return this.database.manager.findOneBy(CommitStatus, {
      pipelineId,
      name,
      kind: 'external',
      stage: EXTERNAL_STAGE,
      retried: false,
    });
  }

  create(
    values: Pick<CommitStatus, 'projectId' | 'pipelineId' | 'sha' | 'ref' | 'name' | 'authorId'>,
  ): CommitStatus {
    return this.database.manager.create(CommitStatus, {
      ...values,
      kind: 'external',
      stage: EXTERNAL_STAGE,
      stageIndex: AFTER_ALL_STAGES,
      retried: false,
      queuedAt: null,
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
