import { Database, hydrate, paginate, substringPattern } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { attributeConditions, type AttributeFilter } from '../custom-attributes/attribute-conditions';
import { LIVE_MEMBER } from '../members/live-member';
import { In, IsNull, type SelectQueryBuilder } from 'typeorm';
import { Identity } from './identity.entity';
import { User } from './user.entity';

/** Which users, and in which order. Absent conditions do not count. */
export interface UserFilter {
  readonly search?: string | undefined;
  /** Exact, in any letter case. */
  readonly username?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly isBlocked?: boolean | undefined;
  readonly isExternal?: boolean | undefined;
  readonly identity?: { readonly provider: string; readonly externUid: string } | undefined;
  readonly createdBefore?: Date | undefined;
  readonly createdAfter?: Date | undefined;
  readonly hasTwoFactor?: boolean | undefined;
  readonly customAttributes?: AttributeFilter | undefined;
  readonly orderBy: 'id' | 'name' | 'username' | 'createdAt' | 'updatedAt';
  readonly sort: 'asc' | 'desc';
}

/** Readings of a user that are no columns. */
type Derived =
  | 'identities'
  | 'highestRole'
  | 'customAttributes'
  | 'isBlocked'
  | 'mustChangePassword'
  | 'canCreateProject'
  | 'isDormantSince'
  | 'isInternal';

export type UserColumns = Partial<Omit<User, 'id' | Derived>>;

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  async find(id: number): Promise<User | null> {
    const text = 'SELECT * FROM users WHERE id = $1 AND NOT pending_delete';
    const [row] = await this.database.prepared('user_by_id', text, [id]);
    return row ? withoutPassword(row) : null;
  }

  /** The user, locked until the transaction ends. */
  async findForChange(id: number): Promise<User | null> {
    const text = 'SELECT * FROM users WHERE id = $1 AND NOT pending_delete FOR NO KEY UPDATE';
    const [row] = await this.database.prepared('user_for_change', text, [id]);
    return row ? withoutPassword(row) : null;
  }

  async findByUsername(username: string): Promise<User | null> {
    const text = 'SELECT * FROM users WHERE lower(username) = lower($1) AND NOT pending_delete';
    const [row] = await this.database.prepared('user_by_username', text, [username]);
    return row ? withoutPassword(row) : null;
  }

  /** With what is needed to check a password; by username or primary e-mail. */
  async findForSignIn(login: string): Promise<{ user: User; passwordDigest: string | null } | null> {
    const user = await this.database.manager
      .createQueryBuilder(User, 'user')
      .addSelect('user.passwordDigest')
      .where('lower(user.username) = lower(:login) OR lower(user.email) = lower(:login)', { login })
      .orderBy('user.id')
      .getOne();
    return user && { user, passwordDigest: user.passwordDigest };
  }

  async page(filter: UserFilter, request: PageRequest): Promise<Page<User>> {
    const query = this.database.manager.createQueryBuilder(User, 'user').where('NOT user.pendingDelete');
    narrow(query, filter);
    const direction = filter.sort === 'asc' ? 'ASC' : 'DESC';
    query.orderBy(`user.${filter.orderBy}`, direction);
    if (filter.orderBy !== 'id') query.addOrderBy('user.id', direction);
    return paginate(query, request);
  }

  async attachIdentities(users: readonly User[]): Promise<void> {
    if (users.length === 0) return;
    const userId = In(users.map(({ id }) => id));
    const found = await this.database.manager.find(Identity, { where: { userId }, order: { id: 'ASC' } });
    for (const user of users) user.identities = found.filter((identity) => identity.userId === user.id);
  }

  /** The greatest level of a live membership anywhere; 0 without one. */
  async highestRole(userId: number): Promise<number> {
    const [row] = await this.database.prepared<{ level: number }>(
      'highest_role',
      `SELECT coalesce(max(m.access_level), 0)::int AS level FROM members m
       WHERE m.user_id = $1 AND ${LIVE_MEMBER}`,
      [userId],
    );
    return row?.level ?? 0;
  }

  async findGhost(): Promise<number | null> {
    const [row] = await this.database.prepared<{ id: number }>(
      'ghost',
      `SELECT id FROM users WHERE kind = 'ghost'`,
    );
    return row?.id ?? null;
  }

  /** Whether somebody, `exceptId` aside, has the e-mail, as the primary or a secondary one. */
  async emailIsTaken(email: string, exceptId: number | null = null): Promise<boolean> {
    const text = `SELECT 1 FROM email_addresses WHERE address = lower($1) AND user_id IS DISTINCT FROM $2`;
    return (await this.database.prepared('email_is_taken', text, [email, exceptId])).length > 0;
  }

  /** Throws the driver's error when username or e-mail are taken, see `uniqueViolation`. */
  async update(id: number, changes: UserColumns): Promise<void> {
    await this.database.manager.update(User, { id }, { ...changes, updatedAt: new Date() });
  }

  /** Answers the id. Throws the driver's error when username or e-mail are taken, see `uniqueViolation`. */
  async insert(columns: UserColumns): Promise<number> {
    const { manager } = this.database;
    const user = manager.create(User, columns);
    await manager.insert(User, user);
    return user.id;
  }

  /** Ids of the administrators who can act; others who ask wait until the transaction ends. */
  async lockAdministrators(): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'administrators_for_change',
      `SELECT id FROM users WHERE is_admin AND state = 'active' AND NOT pending_delete ORDER BY id FOR NO KEY UPDATE`,
    );
    return rows.map(({ id }) => id);
  }

  async insertIdentity(
    userId: number,
    provider: string,
    externUid: string,
    samlProviderId: number | null = null,
  ): Promise<void> {
    await this.database.manager.insert(Identity, { userId, provider, externUid, samlProviderId });
  }

  /**
   * Gives the user's account at the provider another id there, or a first one; a group's single sign-on is told apart
   * by `samlProviderId`. Throws the driver's error when somebody else has it.
   */
  async setIdentity(userId: number, identity: Pick<Identity, 'provider' | 'externUid' | 'samlProviderId'>) {
    const { provider, externUid, samlProviderId } = identity;
    const { manager } = this.database;
    const where = { userId, provider, samlProviderId: samlProviderId ?? IsNull() };
    const known = await manager.findOneBy(Identity, where);
    if (known) await manager.update(Identity, { id: known.id }, { externUid });
    else await manager.insert(Identity, { userId, provider, externUid, samlProviderId });
  }
}

function withoutPassword(row: object): User {
  return hydrate(User, { ...row, password_digest: null });
}

function narrow(query: SelectQueryBuilder<User>, filter: UserFilter): void {
  if (filter.search) {
    query.andWhere(
      '(lower(user.name) LIKE :pattern OR lower(user.username) LIKE :pattern OR lower(user.email) = lower(:search))',
      { pattern: substringPattern(filter.search), search: filter.search },
    );
  }
  if (filter.username !== undefined) {
    query.andWhere('lower(user.username) = lower(:username)', { username: filter.username });
  }
  if (filter.isActive) query.andWhere(`user.state = 'active' AND user.kind = 'human'`);
  if (filter.isBlocked) query.andWhere(`user.state IN ('blocked', 'ldap_blocked')`);
  if (filter.isExternal !== undefined)
    query.andWhere('user.isExternal = :isExternal', { isExternal: filter.isExternal });
  if (filter.hasTwoFactor !== undefined) {
    query.andWhere('user.twoFactorEnabled = :hasTwoFactor', { hasTwoFactor: filter.hasTwoFactor });
  }
  if (filter.createdBefore) query.andWhere('user.createdAt <= :before', { before: filter.createdBefore });
  if (filter.createdAfter) query.andWhere('user.createdAt >= :after', { after: filter.createdAfter });
  narrowToAttributes(query, filter.customAttributes ?? {});
  if (filter.identity) {
    const { provider, externUid } = filter.identity;
    query.andWhere(
      `user.id IN (SELECT i.user_id FROM identities i WHERE i.provider = :provider AND lower(i.extern_uid) = lower(:externUid))`,
      { provider, externUid },
    );
  }
}

function narrowToAttributes(query: SelectQueryBuilder<User>, wanted: AttributeFilter): void {
  const values: string[] = [];
  const conditions = attributeConditions(
    'user',
    'user.id',
    wanted,
    (value) => `:attribute${values.push(value)}`,
  );
  for (const condition of conditions) query.andWhere(condition);
  query.setParameters(Object.fromEntries(values.map((value, index) => [`attribute${index + 1}`, value])));
}
