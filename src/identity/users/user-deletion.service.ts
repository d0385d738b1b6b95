import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { conflict, forbidden, notFound, requireUnmodified } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { NamespaceRemoval } from '../namespaces/namespace-removal.service';
import { refuseLastAdministrator } from './last-administrator';
import type { User } from './user.entity';
import { UserDeletionRepository } from './user-deletion.repository';
import { userRemovals } from './user-removal.job';
import { Users } from './users.service';
import { UsersRepository } from './users.repository';

export interface DeletionOptions {
  /** Contributions and solely owned groups go too. */
  readonly isHard: boolean;
  readonly unmodifiedSince: Date | null;
}

/** Deletes users: at once for all who look, in the background for what they leave. */
@Injectable()
export class UserDeletion {
  private readonly logger = new Logger(UserDeletion.name);

  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly rows: UsersRepository,
    private readonly deletions: UserDeletionRepository,
    private readonly namespaces: NamespaceRemoval,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Throws "404 User Not Found"; 403 for the caller, the ghost and the last administrator; 409 for the only owner of
   * a group, unless it is to be deleted too; 412 for a user changed after `unmodifiedSince`.
   */
  async delete(actor: Actor, id: string, { isHard, unmodifiedSince }: DeletionOptions): Promise<void> {
    const { id: userId, isAdmin } = await this.users.get(id);
    const { id: by } = signedIn(actor);
    if (userId === by) throw forbidden('You cannot delete yourself');
    await this.database.transaction(async () => {
      const user = await this.forDeletion(userId, isAdmin);
      requireUnmodified(user.updatedAt, unmodifiedSince);
      const groupIds = await this.deletions.solelyOwnedGroups(userId);
      if (groupIds.length > 0 && !isHard) throw conflict('User cannot be removed: sole owner of a group');
      const personal = await this.deletions.personalNamespace(userId);
      for (const namespaceId of personal === null ? groupIds : [...groupIds, personal])
        await this.namespaces.hide(namespaceId);
      await this.deletions.hide(userId, isHard);
      await this.jobs.enqueue(userRemovals, { userId, groupIds });
    });
    this.logger.log({ user: userId, by, isHard }, 'an account was deleted');
  }

  /** Locked until the transaction ends. */
  private async forDeletion(userId: number, isAdmin: boolean): Promise<User> {
    const administrators = isAdmin ? await this.rows.lockAdministrators() : [];
    const user = await this.rows.findForChange(userId);
    if (!user) throw notFound('User');
    if (user.isInternal) throw forbidden('An internal user cannot be deleted');
    refuseLastAdministrator(userId, administrators);
    return user;
  }
}
