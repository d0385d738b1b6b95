import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { CommitComment } from './commit-comment.entity';

@Injectable()
export class CommitCommentsRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first. */
  ofCommit(projectId: number, sha: string, page: PageRequest): Promise<Page<CommitComment>> {
    const query = this.database.manager
      .createQueryBuilder(CommitComment, 'comment')
      .where('comment.projectId = :projectId AND comment.sha = :sha', { projectId, sha })
      .orderBy('comment.createdAt', 'ASC')
      .addOrderBy('comment.id', 'ASC');
    return paginate(query, page);
  }

  create(values: Omit<CommitComment, 'id' | 'createdAt' | 'updatedAt'>): Promise<CommitComment> {
    return this.database.manager.save(this.database.manager.create(CommitComment, values));
  }
}
