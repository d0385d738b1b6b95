import { Database } from '#libs/database';
import { notFound, requireUnmodified } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { ACCEPTED, type Accepted } from '../accepted/accepted';
import type { Namespace } from '../namespaces/namespace.entity';
import { NamespaceRemoval } from '../namespaces/namespace-removal.service';
import { NamespaceTreeRepository } from '../namespaces/namespace-tree.repository';
import { groupRemovals } from './group-removal.job';

/** Deletes groups: at once for all who look, in the background for what they hold. */
@Injectable()
export class GroupDeletion {
  constructor(
    private readonly database: Database,
    private readonly tree: NamespaceTreeRepository,
    private readonly removal: NamespaceRemoval,
    private readonly jobs: Jobs,
  ) {}

  /** Throws `precondition_failed` for a group that has changed since, and "404 Group Not Found" for one that is gone. */
  async delete({ id: groupId }: Namespace, unmodifiedSince: Date | null): Promise<Accepted> {
    await this.database.transaction(async () => {
      const group = await this.tree.holdForChange(groupId);
      if (!group) throw notFound('Group');
      requireUnmodified(group.updatedAt, unmodifiedSince);
      await this.removal.hide(groupId);
      await this.jobs.enqueue(groupRemovals, { groupId });
    });
    return ACCEPTED;
  }
}
