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

  find(projectId: number, id: number): Promise<CommitComment | null> {
    return this.database.manager.findOneBy(CommitComment, { projectId, id });
  }

  /** The last one of the project's; null where there is none. */
  newest(projectId: number): Promise<CommitComment | null> {
    return this.database.manager.findOne(CommitComment, { where: { projectId }, order: { id: 'DESC' } });
  }
}
