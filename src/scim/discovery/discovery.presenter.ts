import { field, presenter, type Urls } from '#libs/presenting';
import { scimPath } from '../settings/scim-settings';
import { LIST_SCHEMA } from '../users/scim-user.presenter';
import { RESOURCE_TYPE, SERVICE_PROVIDER, USER_SCHEMA, type SchemaAttribute } from './discovery';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

interface Place {
  readonly fullPath: string;
}

const metaOf = (urls: Urls, { fullPath }: Place, resourceType: string, path: string) => ({
  resourceType,
  location: urls.web(`${scimPath(fullPath)}/${path}`),
});

const Meta = field.object({ resourceType: field.string(), location: field.string() });
const Supported = field.object({ supported: field.boolean() });

const ServiceProviderRecord = field.object({
  schemas: field.array(field.string()),
  patch: Supported,
  bulk: Supported.extend({ maxOperations: field.int(), maxPayloadSize: field.int() }),
  filter: Supported.extend({ maxResults: field.int() }),
  changePassword: Supported,
  sort: Supported,
  etag: Supported,
  authenticationSchemes: field.array(
    field.object({
      type: field.string(),
      name: field.string(),
      description: field.string(),
      primary: field.boolean(),
    }),
  ),
  meta: Meta,
});

const ResourceTypeRecord = field.object({
  schemas: field.array(field.string()),
  id: field.string(),
  name: field.string(),
  endpoint: field.string(),
  description: field.string(),
  schema: field.string(),
  meta: Meta,
});

const AttributeRecord = field.custom<SchemaAttribute>();

const SchemaRecord = field.object({
  schemas: field.array(field.string()),
  id: field.string(),
  name: field.string(),
  description: field.string(),
  attributes: field.array(AttributeRecord),
  meta: Meta,
});

const listOf = <T extends typeof ResourceTypeRecord | typeof SchemaRecord>(record: T) =>
  field.object({
    schemas: field.array(field.literal(LIST_SCHEMA)),
    totalResults: field.int(),
    itemsPerPage: field.int(),
    startIndex: field.int(),
    Resources: field.array(record),
  });

const resourceType = (group: Place, urls: Urls) => ({
  schemas: [`${CORE}:ResourceType`],
  ...RESOURCE_TYPE,
  meta: metaOf(urls, group, 'ResourceType', 'ResourceTypes/User'),
});

const userSchema = (group: Place, urls: Urls) => ({
  schemas: [`${CORE}:Schema`],
  ...USER_SCHEMA,
  meta: metaOf(urls, group, 'Schema', `Schemas/${USER_SCHEMA.id}`),
});

interface OnlyOne<T> {
  schemas: (typeof LIST_SCHEMA)[];
  totalResults: number;
  itemsPerPage: number;
  startIndex: number;
  Resources: T[];
}

/** The only one there is. */
const onlyOne = <T>(resource: T): OnlyOne<T> => ({
  schemas: [LIST_SCHEMA],
  totalResults: 1,
  itemsPerPage: 1,
  startIndex: 1,
  Resources: [resource],
});

export const presentServiceProvider = presenter(ServiceProviderRecord, (group: Place, { urls }) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  ...SERVICE_PROVIDER,
  meta: metaOf(urls, group, 'ServiceProviderConfig', 'ServiceProviderConfig'),
}));

export const presentResourceType = presenter(ResourceTypeRecord, (group: Place, { urls }) =>
  resourceType(group, urls),
);
export const presentResourceTypes = presenter(listOf(ResourceTypeRecord), (group: Place, { urls }) =>
  onlyOne(resourceType(group, urls)),
);
export const presentSchema = presenter(SchemaRecord, (group: Place, { urls }) => userSchema(group, urls));
export const presentSchemas = presenter(listOf(SchemaRecord), (group: Place, { urls }) =>
  onlyOne(userSchema(group, urls)),
);
