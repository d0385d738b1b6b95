const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
export const USER_SCHEMA_ID = `${CORE}:User`;

/** Attributes as RFC 7643, 7, describes them. */
export interface SchemaAttribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex';
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readWrite' | 'readOnly' | 'immutable';
  readonly returned: 'always' | 'default';
  readonly uniqueness: 'none' | 'server';
  readonly subAttributes?: readonly SchemaAttribute[];
}

const attribute = (
  name: string,
  description: string,
  rest: Partial<SchemaAttribute> = {},
): SchemaAttribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...rest,
});

/** What users have here, and no more. */
export const USER_SCHEMA = {
  id: USER_SCHEMA_ID,
  name: 'User',
  description: 'Member of the group, with an account of this service',
  attributes: [
    attribute(
      'userName',
      'Username; characters that usernames cannot have are exchanged, taken ones get a number',
      {
        required: true,
        uniqueness: 'server',
      },
    ),
    attribute('name', 'Name of the person', {
      type: 'complex',
      required: true,
      subAttributes: [
        attribute('formatted', 'The whole name, which is what the service keeps'),
        attribute('givenName', 'First part of the name'),
        attribute('familyName', 'Last part of the name'),
      ],
    }),
    attribute('displayName', 'The whole name'),
    attribute('active', 'Whether the person is a member of the group', { type: 'boolean' }),
    attribute(
      'emails',
      'The address of the account; of several the one for work, else the primary one, is taken',
      {
        type: 'complex',
        multiValued: true,
        required: true,
        subAttributes: [
          attribute('value', 'The address', { required: true, uniqueness: 'server' }),
          attribute('type', 'Always work in answers'),
          attribute('primary', 'Always true in answers', { type: 'boolean' }),
        ],
      },
    ),
  ],
};

export const RESOURCE_TYPE = {
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'Members of the group',
  schema: USER_SCHEMA_ID,
} as const;

/** RFC 7643, 5: what is supported and what is not. */
export const SERVICE_PROVIDER = {
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 100 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'The token that an owner of the group gets when SCIM is switched on, as a bearer token',
      primary: true,
    },
  ],
};
