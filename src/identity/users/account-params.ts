import { missing } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { License } from '#libs/tiers';
import type { ChangedAccount } from './changed-account';
import type { AccountDetails, NewAccount } from './new-account';
import type { CreateUser, UpdateUser } from './user.params';

type Params = ParamsOf<typeof CreateUser> | ParamsOf<typeof UpdateUser>;

/** A new account out of what an administrator sent. Throws `missing` where nothing leads to a password. */
export function newAccount(params: ParamsOf<typeof CreateUser>, license: License): NewAccount {
  return {
    username: params.username,
    name: params.name,
    email: params.email,
    password: passwordOf(params),
    choosesPassword: params.reset_password,
    isAdmin: params.admin ?? false,
    isConfirmed: params.skip_confirmation ?? false,
    isExternal: params.external,
    canCreateGroup: params.can_create_group,
    projectsLimit: params.projects_limit,
    identity: identityOf(params),
    avatar: params.avatar,
    details: detailsOf(params, license),
  };
}

/** What an administrator sent to change; what the licence lacks is passed over. */
export function changedAccount(
  params: ParamsOf<typeof UpdateUser>,
  license: License,
  samlProviderId?: number,
): ChangedAccount {
  const identity = identityOf(params);
  return {
    email: params.email,
    isReconfirmed: params.skip_reconfirmation,
    username: params.username,
    name: params.name,
    password: params.password,
    isAdmin: params.admin,
    isExternal: params.external,
    canCreateGroup: params.can_create_group,
    projectsLimit: params.projects_limit,
    note: license.has('admin_notes') ? params.note : undefined,
    identity: identity && { ...identity, samlProviderId },
    avatar: params.avatar,
    details: detailsOf(params, license),
  };
}

function identityOf({ extern_uid: externUid, provider }: Params) {
  return externUid !== undefined && provider !== undefined ? { externUid, provider } : undefined;
}

const detailsOf = (params: Params, license: License): AccountDetails => ({
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
});

/** Specification, User creation rules: the two ways without a password go before it; without them it is required. */
function passwordOf(params: ParamsOf<typeof CreateUser>): string | null {
  if (params.reset_password || params.force_random_password) return null;
  if (params.password === undefined) throw missing('password');
  return params.password;
}
