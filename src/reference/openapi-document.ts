import type { CatalogueEntry } from '#libs/http';
import type { OpenApiDocument, OpenApiOperation, OpenApiResponse } from './openapi';
import { operationOf, templatedPath } from './operation';

const VERSION = '4';

const errorAnswer = (description: string): OpenApiResponse => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          message: {
            type: ['string', 'object', 'array'],
            description: 'A sentence, or sentences by attribute',
          },
          error: { type: 'string' },
          error_description: { type: 'string' },
          scope: { type: 'string' },
        },
      },
    },
  },
});

/** RFC 7644, 3.12. */
const SCIM_ERROR: OpenApiResponse = {
  description: 'Refused; the body says why',
  content: {
    'application/scim+json': {
      schema: {
        type: 'object',
        properties: {
          schemas: { type: 'array', items: { type: 'string' } },
          scimType: { type: 'string' },
          detail: { type: 'string' },
          status: { type: 'string' },
        },
      },
    },
  },
};

/** The OpenAPI 3.1 document of these endpoints; the same endpoints in any order give the same document. */
export function openApiDocument(entries: readonly CatalogueEntry[]): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Source-code platform',
      version: VERSION,
      description:
        'REST API version 4. Lists come in pages; `:id` of a project or group is its number or its URL-encoded full path.',
    },
    servers: [{ url: '/' }],
    paths: pathsOf(entries),
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Private-Token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      responses: {
        BadRequest: errorAnswer('A parameter is missing or wrong'),
        Unauthorized: errorAnswer('No or no valid token'),
        Forbidden: errorAnswer('Not allowed for this caller'),
        NotFound: errorAnswer('Does not exist, or not for this caller'),
        ScimError: SCIM_ERROR,
      },
    },
  };
}

function pathsOf(entries: readonly CatalogueEntry[]): OpenApiDocument['paths'] {
  const paths = new Map<string, Map<string, OpenApiOperation>>();
  const sorted = [...entries].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  for (const entry of sorted) {
    const path = templatedPath(entry.definition.path);
    const operations = paths.get(path) ?? new Map<string, OpenApiOperation>();
    operations.set(entry.definition.method.toLowerCase(), operationOf(entry));
    paths.set(path, operations);
  }
  return Object.fromEntries([...paths].map(([path, operations]) => [path, Object.fromEntries(operations)]));
}

const keyOf = ({ definition }: CatalogueEntry): string => `${definition.path} ${definition.method}`;
