import { isAdmin } from '#libs/access';
import { field, presenter, presentOptionalTime, presentTime, type View } from '#libs/presenting';
import { avatarUrl } from '../avatars/avatar-url';
import { CustomAttributeRecord } from '../custom-attributes/custom-attribute.presenter';
import type { User } from './user.entity';

const UserBasic = field.object({
  id: field.int(),
  username: field.string(),
  name: field.string(),
  state: field.enum(['active', 'blocked']),
  avatar_url: field.string().nullable(),
  web_url: field.string(),
});

const basic = (user: User, { urls }: View): ReturnType<typeof UserBasic.parse> => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: user.state === 'active' ? 'active' : 'blocked',
  avatar_url: avatarUrl(urls, 'user', user.id, user.avatar),
  web_url: urls.web(user.username),
});

const Profile = field.object({
  created_at: field.string().optional(),
  bio: field.string().nullable(),
  location: field.string().nullable(),
  public_email: field.string(),
  skype: field.string(),
  linkedin: field.string(),
  twitter: field.string(),
  website_url: field.string(),
  organization: field.string().nullable(),
});

const isSelf = (user: User, { actor }: View): boolean => actor.user?.id === user.id;

const profile = (user: User, view: View): ReturnType<typeof Profile.parse> => ({
  ...((!user.privateProfile || isSelf(user, view) || isAdmin(view.actor)) && {
    created_at: presentTime(user.createdAt),
  }),
  bio: user.bio,
  location: user.location,
  public_email: user.publicEmail,
  skype: user.skype,
  linkedin: user.linkedin,
  twitter: user.twitter,
  website_url: user.websiteUrl,
  organization: user.organization,
});

const IdentityRecord = field.object({
  provider: field.string(),
  extern_uid: field.string(),
  saml_provider_id: field.int().nullable().optional(),
});

const Account = field.object({
  email: field.string(),
  is_admin: field.boolean().optional(),
  last_sign_in_at: field.string().nullable(),
  current_sign_in_at: field.string().nullable(),
  confirmed_at: field.string().nullable(),
  last_activity_on: field.string().nullable(),
  theme_id: field.int(),
  color_scheme_id: field.int(),
  projects_limit: field.int(),
  identities: field.array(IdentityRecord),
  can_create_group: field.boolean(),
  can_create_project: field.boolean(),
  two_factor_enabled: field.boolean(),
  external: field.boolean(),
  private_profile: field.boolean(),
  shared_runners_minutes_limit: field.int().nullable().optional(),
  extra_shared_runners_minutes_limit: field.int().nullable().optional(),
  note: field.string().nullable().optional(),
  highest_role: field.int().optional(),
  custom_attributes: field.array(CustomAttributeRecord).optional(),
});

/** What only the user and administrators see; some of it administrators alone. */
const account = (user: User, { actor, license }: View): ReturnType<typeof Account.parse> => ({
  email: user.email,
  ...(isAdmin(actor) && { is_admin: user.isAdmin }),
  last_sign_in_at: presentOptionalTime(user.lastSignInAt),
  current_sign_in_at: presentOptionalTime(user.currentSignInAt),
  confirmed_at: presentOptionalTime(user.confirmedAt),
  last_activity_on: user.lastActivityOn,
  theme_id: user.themeId,
  color_scheme_id: user.colorSchemeId,
  projects_limit: user.projectsLimit,
  identities: user.identities.map(({ provider, externUid, samlProviderId }) => ({
    provider,
    extern_uid: externUid,
    ...(provider === 'group_saml' && { saml_provider_id: samlProviderId }),
  })),
  can_create_group: user.canCreateGroup,
  can_create_project: user.canCreateProject,
  two_factor_enabled: user.twoFactorEnabled,
  external: user.isExternal,
  private_profile: user.privateProfile,
  ...(license.has('shared_runner_minutes') && {
    shared_runners_minutes_limit: user.sharedRunnersMinutesLimit,
    extra_shared_runners_minutes_limit: user.extraSharedRunnersMinutesLimit,
  }),
  ...(isAdmin(actor) && license.has('admin_notes') && { note: user.note }),
  ...(isAdmin(actor) && user.highestRole !== undefined && { highest_role: user.highestRole }),
  ...(isAdmin(actor) && user.customAttributes && { custom_attributes: [...user.customAttributes] }),
});

/** One of a list: six fields for normal callers, everything for administrators. */
export const presentListedUser = presenter(
  UserBasic.extend({ ...Profile.partial().shape, ...Account.partial().shape }),
  (user: User, view) => ({
    ...basic(user, view),
    ...(isAdmin(view.actor) && { ...profile(user, view), ...account(user, view) }),
  }),
);

/** What others see of a user in the records that tell more than the usual six fields. */
export const UserProfileRecord = UserBasic.extend(Profile.shape);
export const presentUserProfile = presenter(UserProfileRecord, (user: User, view) => ({
  ...basic(user, view),
  ...profile(user, view),
}));

/** One user: with the profile for everybody, with the account for administrators. */
export const presentUser = presenter(
  UserBasic.extend({ ...Profile.shape, ...Account.partial().shape }),
  (user: User, view) => ({
    ...basic(user, view),
    ...profile(user, view),
    ...(isAdmin(view.actor) && account(user, view)),
  }),
);

/** The caller themselves. */
export const presentCurrentUser = presenter(
  UserBasic.extend({ ...Profile.shape, ...Account.shape }),
  (user: User, view) => ({ ...basic(user, view), ...profile(user, view), ...account(user, view) }),
);
