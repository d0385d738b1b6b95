import { Level } from '#libs/access';
import { Database } from '#libs/database';
import { DomainError, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { NamespaceTreeRepository } from '../namespaces/namespace-tree.repository';
import { groupMembers } from './member-source';
import { MembersRepository } from './members.repository';

/** Members whom a group's identity provider brings and takes away. All in the caller's transaction. */
@Injectable()
export class GroupAdmission {
  constructor(
    private readonly database: Database,
    private readonly members: MembersRepository,
    private readonly tree: NamespaceTreeRepository,
  ) {}

  /**
   * Makes the user a guest of the group. Who is a member already, here or from above, keeps what they have. Answers
   * whether that was new. Throws "404 Group Not Found" for a group that is just removed.
   */
  async admit(groupId: number, userId: number): Promise<boolean> {
    const source = groupMembers({ id: groupId });
    if (!(await this.tree.hold(groupId))) throw notFound('Group');
    if (await this.members.inherited(source, userId)) return false;
    return this.members.insert(source, { userId, accessLevel: Level.guest, createdById: null });
  }

  /** Ends the direct membership, if there is one. Throws `precondition_failed` for the last owner. */
  async dismiss(groupId: number, userId: number): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.members.lockGroup(groupId);
      const member = await this.members.findForChange(groupMembers({ id: groupId }), userId);
      if (!member) return false;
      if (member.accessLevel >= Level.owner && !(await this.members.hasOtherOwner(groupId, userId)))
        throw new DomainError({
          kind: 'precondition_failed',
          message: 'The last owner of a group cannot be removed',
        });
      await this.members.remove(member);
      return true;
    });
  }
}
