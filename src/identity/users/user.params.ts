import { allOrNone, atLeastOneOf, params, wire } from '#libs/http';
import { AttributeFilterParam } from '../custom-attributes/custom-attribute.params';

const WithCustomAttributes = params({
  with_custom_attributes: wire.boolean().optional().describe('Administrators only'),
});

export const NoParams = params({});

export const UserPath = params({ id: wire.text().describe('Id of the user') });

export const ReadUser = UserPath.extend(WithCustomAttributes);

export const ListUsers = WithCustomAttributes.extend(
  {
    search: wire.text().optional().describe('Part of the name or username, or the whole primary e-mail'),
    username: wire.text().optional().describe('Exact, in any letter case'),
    active: wire.boolean().optional(),
    blocked: wire.boolean().optional(),
    external: wire.boolean().optional().describe('Administrators only'),
    extern_uid: wire.text().optional().describe('Administrators only'),
    provider: wire.text().optional(),
    created_before: wire.dateTime().optional().describe('Administrators only'),
    created_after: wire.dateTime().optional().describe('Administrators only'),
    custom_attributes: AttributeFilterParam.optional().describe('Administrators only'),
    order_by: wire
      .oneOf(['id', 'name', 'username', 'created_at', 'updated_at'])
      .default('id')
      .describe('Administrators only'),
    sort: wire.oneOf(['asc', 'desc']).default('desc').describe('Administrators only'),
    two_factor: wire.oneOf(['enabled', 'disabled']).optional().describe('Administrators only'),
  },
  allOrNone('extern_uid', 'provider'),
);

const SHORT_TEXT = { max: 255 };
const MINUTES = { min: 0, max: 2_147_483_647 };

const FIELDS = {
  email: wire.text().optional(),
  username: wire.text().optional(),
  name: wire.text().optional(),
  password: wire.text().optional(),
  skype: wire.text(SHORT_TEXT).optional(),
  linkedin: wire.text(SHORT_TEXT).optional(),
  twitter: wire.text(SHORT_TEXT).optional(),
  website_url: wire.text(SHORT_TEXT).optional(),
  organization: wire.text(SHORT_TEXT).optional(),
  projects_limit: wire.integer().optional(),
  extern_uid: wire.text({ ...SHORT_TEXT, blank: false }).optional(),
  provider: wire.text({ ...SHORT_TEXT, blank: false }).optional(),
  bio: wire.text().optional(),
  location: wire.text(SHORT_TEXT).optional(),
  public_email: wire.text().optional(),
  admin: wire.boolean().optional(),
  can_create_group: wire.boolean().optional(),
  external: wire.boolean().optional(),
  avatar: wire.file().optional().describe('An image of at most 200 KB'),
  private_profile: wire.boolean().optional(),
  shared_runners_minutes_limit: wire.integer(MINUTES).nullable().optional().describe('Starter and higher'),
  extra_shared_runners_minutes_limit: wire
    .integer(MINUTES)
    .nullable()
    .optional()
    .describe('Starter and higher'),
};

export const CreateUser = params(
  {
    ...FIELDS,
    email: wire.text(),
    username: wire.text(),
    name: wire.text(),
    reset_password: wire.boolean().optional(),
    force_random_password: wire.boolean().optional(),
    skip_confirmation: wire.boolean().optional(),
  },
  allOrNone('extern_uid', 'provider'),
  atLeastOneOf('password', 'reset_password', 'force_random_password'),
);

export const UpdateUser = UserPath.extend(
  {
    ...FIELDS,
    group_id_for_saml: wire.integer().optional().describe('With `provider=group_saml` and `extern_uid`'),
    skip_reconfirmation: wire.boolean().optional(),
    note: wire.text({ max: 65_535 }).nullable().optional().describe('Starter and higher'),
  },
  allOrNone('extern_uid', 'provider'),
  (isGiven) =>
    isGiven('group_id_for_saml') && !isGiven('extern_uid')
      ? 'extern_uid, provider, group_id_for_saml provide all or none of parameters'
      : undefined,
);

export const DeleteUser = UserPath.extend({
  hard_delete: wire.boolean().default(false).describe('Contributions and solely owned groups go too'),
});

export const ListActivities = params({
  from: wire.date().optional().describe('First day; by default half a year ago'),
});
