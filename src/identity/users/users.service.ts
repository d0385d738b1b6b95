import { isAdmin, requireAdmin, signedIn, type Actor } from '#libs/access';
import { forbidden, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { License } from '#libs/tiers';
import { Injectable, Logger } from '@nestjs/common';
import { CustomAttributes } from '../custom-attributes/custom-attributes.service';
import { GroupSso } from '../group-sso/group-sso.service';
import { AccountChanges } from './account-changes.service';
import { changedAccount, newAccount } from './account-params';
import { Accounts } from './accounts.service';
import type { User } from './user.entity';
import type { CreateUser, ListUsers, ReadUser, UpdateUser } from './user.params';
import { UsersRepository, type UserFilter } from './users.repository';

const ORDER = {
  id: 'id',
  name: 'name',
  username: 'username',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
} as const;

@Injectable()
export class Users {
  private readonly logger = new Logger(Users.name);

  constructor(
    private readonly users: UsersRepository,
    private readonly accounts: Accounts,
    private readonly changes: AccountChanges,
    private readonly attributes: CustomAttributes,
    private readonly groupSso: GroupSso,
    private readonly license: License,
  ) {}

  /** Anonymous callers may only look one username up. */
  async list(actor: Actor, params: ParamsOf<typeof ListUsers>, page: PageRequest): Promise<Page<User>> {
    const asksForAdmin = params.external === true || params.extern_uid !== undefined;
    if (asksForAdmin) requireAdmin(actor);
    if (!actor.user && !params.username) throw forbidden('Not authorized to access /api/v4/users');
    if (!isAdmin(actor)) return this.users.page(publicFilter(actor, params), page);
    const found = await this.users.page(adminFilter(params), page);
    await this.users.attachIdentities(found.rows);
    if (params.with_custom_attributes) await this.attachAttributes(found.rows);
    return found;
  }

  /** As `actor` may see them: administrators also see the highest role. Throws "404 User Not Found". */
  async show(actor: Actor, params: ParamsOf<typeof ReadUser>): Promise<User> {
    const user = await this.get(params.id);
    if (!isAdmin(actor)) return user;
    await this.users.attachIdentities([user]);
    user.highestRole = await this.users.highestRole(user.id);
    if (params.with_custom_attributes) await this.attachAttributes([user]);
    return user;
  }

  async current(actor: Actor): Promise<User> {
    const user = await this.users.find(signedIn(actor).id);
    if (!user) throw notFound('User');
    await this.users.attachIdentities([user]);
    return user;
  }

  async create(actor: Actor, params: ParamsOf<typeof CreateUser>): Promise<User> {
    const user = await this.accounts.open(newAccount(params, this.license));
    this.logger.log(
      { user: user.id, by: signedIn(actor).id, isAdmin: user.isAdmin },
      'an account was opened',
    );
    return user;
  }

  /** See AccountChanges. Throws "404 User Not Found", and 404 for a group without single sign-on. */
  async update(actor: Actor, params: ParamsOf<typeof UpdateUser>): Promise<User> {
    const user = await this.get(params.id);
    const { group_id_for_saml: groupId } = params;
    const provider = groupId === undefined ? undefined : await this.groupSso.ofGroup(groupId);
    const changes = changedAccount(params, this.license, provider?.id);
    return this.changes.apply(user, changes, signedIn(actor).id);
  }

  /** By id, a `.json` suffix aside. Throws "404 User Not Found". */
  async get(id: string): Promise<User> {
    const digits = /^(\d{1,18})(?:\.json)?$/.exec(id)?.[1];
    const user = digits === undefined ? null : await this.users.find(Number(digits));
    if (!user) throw notFound('User');
    return user;
  }

  /** By id or username, in any letter case; null for nobody. */
  find(idOrUsername: number | string): Promise<User | null> {
    return typeof idOrUsername === 'number'
      ? this.users.find(idOrUsername)
      : this.users.findByUsername(idOrUsername);
  }

  private async attachAttributes(users: readonly User[]): Promise<void> {
    const noted = await this.attributes.of(
      'user',
      users.map(({ id }) => id),
    );
    for (const user of users) user.customAttributes = noted.get(user.id) ?? [];
  }
}

/** What everybody may narrow by. */
const commonFilter = ({ search, username, active, blocked }: ParamsOf<typeof ListUsers>) => ({
  search,
  username,
  isActive: active,
  isBlocked: blocked,
});

/**
 * What normal callers may narrow by; external users are hidden from them. Anonymous ones do not search: they would
 * learn whether an e-mail is that of a user.
 */
function publicFilter({ user }: Actor, params: ParamsOf<typeof ListUsers>): UserFilter {
  const filter = { ...commonFilter(params), isExternal: false, orderBy: 'id', sort: 'desc' } as const;
  return user ? filter : { ...filter, search: undefined };
}

function adminFilter(params: ParamsOf<typeof ListUsers>): UserFilter {
  const { extern_uid: externUid, provider } = params;
  return {
    ...commonFilter(params),
    isExternal: params.external ? true : undefined,
    identity: externUid !== undefined && provider !== undefined ? { externUid, provider } : undefined,
    createdBefore: params.created_before,
    createdAfter: params.created_after,
    customAttributes: params.custom_attributes,
    hasTwoFactor: params.two_factor && params.two_factor === 'enabled',
    orderBy: ORDER[params.order_by],
    sort: params.sort,
  };
}
