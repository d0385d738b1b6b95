import {
  describeParams,
  type CatalogueEntry,
  type EndpointDefinition,
  type ParameterDescription,
} from '#libs/http';
import type { OpenApiOperation, OpenApiParameter, OpenApiResponse, Schema } from './openapi';
import { answerSchema } from './record-schema';

const MEDIA_TYPE = { api: 'application/json', scim: 'application/scim+json' } as const;

const SCIM_ERRORS = { 400: 'ScimError', 401: 'ScimError', 404: 'ScimError', 409: 'ScimError' } as const;

const ERRORS = { 400: 'BadRequest', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound' } as const;

const PAGE_PARAMETERS: readonly OpenApiParameter[] = [
  { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1, default: 1 } },
  {
    name: 'per_page',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
];

const ID_SCHEMA: Schema = { type: ['integer', 'string'] };

/** `:name` of the row as `{name}`. */
export const templatedPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

function securityOf({ options: { access } }: EndpointDefinition): OpenApiOperation['security'] {
  if (access === 'scim') return [{ bearer: [] }];
  return access === 'user' || access === 'admin' ? [{ token: [] }] : [{}, { token: [] }];
}

/** One endpoint as OpenAPI's operation. */
export function operationOf({ controller, handler, definition }: CatalogueEntry): OpenApiOperation {
  const { schema, fields } = describeParams(definition.options.params);
  const inPath = pathNames(definition.path);
  const others = fields.filter(({ name }) => !inPath.includes(name));
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(definition.method);
  return {
    operationId: `${controller.replace(/Controller$/, '')}_${handler}`,
    summary: definition.row,
    tags: [controller.replace(/Controller$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')],
    ...(definition.options.feature && {
      description: `Licensed feature: \`${definition.options.feature}\`.`,
    }),
    security: securityOf(definition),
    parameters: [
      ...inPath.map((name) => pathParameter(name, definition, fields)),
      ...(hasBody ? [] : others.map((field): OpenApiParameter => ({ in: 'query', ...field }))),
      ...(definition.options.paginated === true ? PAGE_PARAMETERS : []),
    ],
    ...(hasBody && others.length > 0 && { requestBody: bodyOf(definition, schema, inPath) }),
    responses: responsesOf(definition),
  };
}

function pathParameter(
  name: string,
  { subject }: EndpointDefinition,
  fields: readonly ParameterDescription[],
): OpenApiParameter {
  const declared = fields.find((field) => field.name === name);
  if (declared) return { ...declared, in: 'path', required: true };
  const of = subject === null ? '' : ` of the ${subject}`;
  return {
    name,
    in: 'path',
    required: true,
    description: `Id or URL-encoded full path${of}`,
    schema: ID_SCHEMA,
  };
}

/** Everything but what stands in the path. A form may carry the same fields under Rack's names. */
function bodyOf(
  { protocol }: EndpointDefinition,
  schema: Schema,
  inPath: readonly string[],
): NonNullable<OpenApiOperation['requestBody']> {
  const { properties, required, ...rest } = schema;
  const kept = Object.fromEntries(
    Object.entries(isHash(properties) ? properties : {}).filter(([name]) => !inPath.includes(name)),
  );
  const names: unknown[] = Array.isArray(required) ? required : [];
  const needed = names.filter((name) => typeof name === 'string' && !inPath.includes(name));
  const body = { ...rest, properties: kept, ...(needed.length > 0 && { required: needed }) };
  if (protocol === 'scim') return { content: { [MEDIA_TYPE.scim]: { schema: body } } };
  return { content: { [MEDIA_TYPE.api]: { schema: body }, 'multipart/form-data': { schema: body } } };
}

const isHash = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function responsesOf(definition: EndpointDefinition): OpenApiOperation['responses'] {
  const schema = answerSchema(definition);
  const success: OpenApiResponse = {
    description: definition.status === 204 ? 'Done; no content' : 'Success',
    ...(definition.options.paginated === true && { headers: PAGE_HEADERS }),
    ...(schema && { content: { [MEDIA_TYPE[definition.protocol]]: { schema } } }),
  };
  const errors = Object.entries(definition.protocol === 'scim' ? SCIM_ERRORS : ERRORS).map(
    ([status, name]) => [status, { $ref: `#/components/responses/${name}` }] as const,
  );
  return { [String(definition.status)]: success, ...Object.fromEntries(errors) };
}

const number = (description: string) => ({ description, schema: { type: 'string' } });

const PAGE_HEADERS = {
  'X-Page': number('This page'),
  'X-Per-Page': number('Rows of a page'),
  'X-Next-Page': number('Next page; empty after the last one'),
  'X-Prev-Page': number('Page before this one; empty on the first one'),
  'X-Total': number('All rows; left out above 10,000'),
  'X-Total-Pages': number('All pages; left out above 10,000 rows'),
  Link: number('URLs of the pages prev, next, first and last'),
};
