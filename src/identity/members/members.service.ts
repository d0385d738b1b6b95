import { Level, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { conflict, DomainError, forbidden, notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { NamespaceTreeRepository } from '../namespaces/namespace-tree.repository';
import { UsersRepository } from '../users/users.repository';
import type { Member, Membership } from './member.entity';
import type { AddMember, ChangeMember } from './member.params';
import { mayManageMembers, refuseAboveOwnLevel, refuseInvalidMembership } from './member-rules';
import type { MemberSearch } from './member-search';
import type { MemberSource } from './member-source';
import { MembersRepository } from './members.repository';

const today = (): string => new Date().toISOString().slice(0, 10);

interface WantedMember {
  readonly userId: number;
  readonly accessLevel: number;
  /** YYYY-MM-DD. */
  readonly expiresAt: string | null;
}

/** Who belongs to a project or group. */
@Injectable()
export class Members {
  constructor(
    private readonly database: Database,
    private readonly members: MembersRepository,
    private readonly users: UsersRepository,
    private readonly tree: NamespaceTreeRepository,
    private readonly license: License,
  ) {}

  list(source: MemberSource, search: MemberSearch, page: PageRequest): Promise<Page<Membership>> {
    return this.members.page(source, search, page);
  }

  /** Throws "404 Not found" for somebody who is no member. */
  async show(source: MemberSource, userId: number, withInherited: boolean): Promise<Membership> {
    const found = await this.members.find(source, userId, withInherited);
    if (!found) throw notFound();
    return found;
  }

  /** Throws 409 for a member, 404 for nobody, and what `requireAdmissible` throws. */
  add(actor: Actor, source: MemberSource, params: ParamsOf<typeof AddMember>): Promise<Membership> {
    return this.database.transaction(async () => {
      const { user_id: userId, access_level: accessLevel, expires_at: expiresAt = null } = params;
      if (await this.members.find(source, userId, false)) throw conflict('Member already exists');
      const user = await this.users.find(userId);
      if (user?.kind !== 'human') throw notFound('User');
      await this.requireAdmissible(actor, source, { userId, accessLevel, expiresAt });
      const member = { userId, accessLevel, expiresAt, createdById: signedIn(actor).id };
      if (!(await this.members.insert(source, member))) throw conflict('Member already exists');
      return { user, accessLevel, expiresAt };
    });
  }

  /**
   * Whether the caller may make this user a member, which stays so until the transaction ends. Throws 404 where the
   * source is just being removed, 405 in a project whose group keeps members out, 403 for a level above the caller's
   * own, and `validation` for what no membership can be.
   */
  async requireAdmissible(actor: Actor, source: MemberSource, wanted: WantedMember): Promise<void> {
    const { userId, accessLevel, expiresAt } = wanted;
    if (!(await this.tree.hold(source.namespaceId))) {
      throw notFound(source.kind === 'project' ? 'Project' : 'Group');
    }
    if (await this.isLocked(source)) {
      throw new DomainError({ kind: 'not_allowed', message: '405 Method Not Allowed' });
    }
    refuseAboveOwnLevel(actor, accessLevel);
    const inherited = await this.members.inherited(source, userId);
    refuseInvalidMembership(source, { accessLevel, expiresAt, inherited }, today());
  }

  change(actor: Actor, source: MemberSource, params: ParamsOf<typeof ChangeMember>): Promise<Membership> {
    return this.database.transaction(async () => {
      const { user_id: userId, access_level: accessLevel } = params;
      const member = await this.forChange(source, userId);
      const user = member && (await this.users.find(userId));
      if (!user) throw notFound();
      refuseAboveOwnLevel(actor, accessLevel, member.accessLevel);
      const expiresAt = params.expires_at === undefined ? member.expiresAt : params.expires_at;
      const inherited = await this.members.inherited(source, userId);
      refuseInvalidMembership(source, { accessLevel, expiresAt, inherited }, today());
      if (accessLevel < Level.owner) await this.refuseLastOwner(source, member);
      await this.members.update(Object.assign(member, { accessLevel, expiresAt }));
      return { user, accessLevel, expiresAt };
    });
  }

  /** Managers remove others, everybody may leave; the last owner of a group stays (403). */
  remove(actor: Actor, source: MemberSource, userId: number, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const member = await this.forChange(source, userId);
      if (!member) throw notFound();
      if (userId !== signedIn(actor).id) {
        if (!mayManageMembers(actor, source)) throw forbidden();
        refuseAboveOwnLevel(actor, member.accessLevel);
      }
      await this.refuseLastOwner(source, member);
      requireUnmodified(member.updatedAt, unmodifiedSince);
      await this.members.remove(member);
    });
  }

  private async isLocked({ kind, namespaceId }: MemberSource): Promise<boolean> {
    return kind === 'project' && this.license.has('member_lock') && this.members.isLocked(namespaceId);
  }

  private async forChange(source: MemberSource, userId: number): Promise<Member | null> {
    if (source.kind === 'namespace') await this.members.lockGroup(source.id);
    return this.members.findForChange(source, userId);
  }

  private async refuseLastOwner(source: MemberSource, { userId, accessLevel }: Member): Promise<void> {
    if (source.kind === 'project' || accessLevel < Level.owner) return;
    if (!(await this.members.hasOtherOwner(source.id, userId))) throw forbidden();
  }
}
