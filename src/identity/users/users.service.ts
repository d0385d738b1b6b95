import { isAdmin, requireAdmin, signedIn, type Actor } from '#libs/access';
import { forbidden, missing, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { Accounts } from './accounts.service';
import type { NewAccount } from './new-account';
import type { User } from './user.entity';
import type { CreateUser, ListUsers } from './user.params';
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
  constructor(
    private readonly users: UsersRepository,
    private readonly accounts: Accounts,
    private readonly license: License,
  ) {}

  /** Anonymous callers may only look one username up. */
  async list(actor: Actor, params: ParamsOf<typeof ListUsers>, page: PageRequest): Promise<Page<User>> {
    const asksForAdmin = params.external === true || params.extern_uid !== undefined;
    if (asksForAdmin) requireAdmin(actor);
    if (!actor.user && !params.username) throw forbidden('Not authorized to access /api/v4/users');
    const found = await this.users.page(isAdmin(actor) ? adminFilter(params) : publicFilter(params), page);
    if (isAdmin(actor)) await this.users.attachIdentities(found.rows);
    return found;
  }

  /** As `actor` may see them: administrators also see the highest role. Throws "404 User Not Found". */
  async show(actor: Actor, id: string): Promise<User> {
    const user = await this.get(id);
    if (!isAdmin(actor)) return user;
    await this.users.attachIdentities([user]);
    user.highestRole = await this.users.highestRole(user.id);
    return user;
  }

  async current(actor: Actor): Promise<User> {
    const user = await this.users.find(signedIn(actor).id);
    if (!user) throw notFound('User');
    await this.users.attachIdentities([user]);
    return user;
  }

  create(params: ParamsOf<typeof CreateUser>): Promise<User> {
    return this.accounts.open(newAccount(params, this.license));
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
}

/** What normal callers may narrow by; external users are hidden from them. */
function publicFilter({ search, username, active, blocked }: ParamsOf<typeof ListUsers>): UserFilter {
  const state = active ? 'active' : blocked ? 'blocked' : undefined;
  return { search, username, state, isExternal: false, orderBy: 'id', sort: 'desc' };
}

function adminFilter(params: ParamsOf<typeof ListUsers>): UserFilter {
  const { extern_uid: externUid, provider } = params;
  return {
    ...publicFilter(params),
    isExternal: params.external ? true : undefined,
    identity: externUid !== undefined && provider !== undefined ? { externUid, provider } : undefined,
    createdBefore: params.created_before,
    createdAfter: params.created_after,
    hasTwoFactor: params.two_factor && params.two_factor === 'enabled',
    orderBy: ORDER[params.order_by],
    sort: params.sort,
  };
}

function newAccount(params: ParamsOf<typeof CreateUser>, license: License): NewAccount {
  const { extern_uid: externUid, provider } = params;
  return {
    username: params.username,
    name: params.name,
    email: params.email,
    password: passwordOf(params),
    isAdmin: params.admin ?? false,
    isConfirmed: params.skip_confirmation ?? false,
    isExternal: params.external,
    canCreateGroup: params.can_create_group,
    projectsLimit: params.projects_limit,
    identity: externUid !== undefined && provider !== undefined ? { externUid, provider } : undefined,
    details: {
      bio: params.bio,
      location: params.location,
      organization: params.organization,
      publicEmail: params.public_email,
      skype: params.skype,
      linkedin: params.linkedin,
      twitter: params.twitter,
      websiteUrl: params.website_url,
      privateProfile: params.private_profile,
      ...(license.has('shared_runner_minutes') && {
        sharedRunnersMinutesLimit: params.shared_runners_minutes_limit,
        extraSharedRunnersMinutesLimit: params.extra_shared_runners_minutes_limit,
      }),
    },
  };
}

/** Specification, User creation rules: the two ways without a password go before it; without them it is required. */
function passwordOf(params: ParamsOf<typeof CreateUser>): string | null {
  if (params.reset_password || params.force_random_password) return null;
  if (params.password === undefined) throw missing('password');
  return params.password;
}
