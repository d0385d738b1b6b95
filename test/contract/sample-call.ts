import { describeParams, type EndpointDefinition } from '#libs/http';

/** What stands behind the names in a path and behind required parameters. */
export interface Samples {
  readonly id: string;
  /** Full path of a group. */
  readonly groupPath: string;
  readonly userId: string;
  /** Of a commit, or of a blob where the path is about those. */
  readonly sha: string;
  /** What stands in the project or group, by the parameter that names it. */
  readonly planted: Readonly<Record<string, string>>;
}

export interface SampleCall {
  readonly path: string;
  /** Query of a read, body of a write. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Values that exist, by the name of the parameter; any other name gets one by its type. */
const named = ({ id, groupPath, userId, sha, planted }: Samples): Readonly<Record<string, unknown>> => ({
  id,
  group_path: groupPath,
  user_id: userId,
  id_or_username: userId,
  file_path: 'README.md',
  ref: 'master',
  ref_name: 'master',
  branch: 'master',
  name: 'master',
  sha,
  tag_name: 'v1',
  format: 'zip',
  from: 'master',
  to: 'v1',
  refs: ['master', 'v1'],
  actions: [{ action: 'create', file_path: 'new.txt', content: '' }],
  access_level: 30,
  state: 'pending',
  redirect_uri: 'https://client.example/callback',
  url: 'https://hooks.example.com/receiver',
  link_url: 'https://badges.example.com/%{project_path}',
  image_url: 'https://badges.example.com/%{commit_sha}.svg',
  group_access: 30,
  color: '#428BCA',
  scopes: 'api',
  slug: 'home',
  duration: '1h',
  ...planted,
});

/** The smallest call that the endpoint's declared parameters accept. */
export function sampleCall({ path, options }: EndpointDefinition, samples: Samples): SampleCall {
  const values = named(samples);
  const { fields } = describeParams(options.params);
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name));
  const params = fields
    .filter(({ name, required }) => required && !inPath.has(name))
    .map(({ name, schema }) => [name, values[name] ?? valueOf(schema)] as const);
  return {
    path: path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(textOf(values[name]))),
    params: Object.fromEntries(params),
  };
}

/** Any other one, for endpoints that want at least something given. */
export function optionalParams(
  { options }: EndpointDefinition,
  samples: Samples,
): Readonly<Record<string, unknown>> {
  const values = named(samples);
  const optional = describeParams(options.params).fields.filter(({ required }) => !required);
  const [first] = optional.filter(
    ({ schema }) => schema['type'] === 'string' || schema['type'] === 'boolean',
  );
  return first ? { [first.name]: values[first.name] ?? valueOf(first.schema) } : {};
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '1');

function valueOf(schema: Readonly<Record<string, unknown>>): unknown {
  const allowed: unknown[] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  if (allowed.length > 0) return allowed[0];
  const alternatives: unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  const [first] = alternatives;
  if (isHash(first)) return valueOf(first);
  if (schema['format'] === 'binary') return Buffer.from('a file');
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [isHash(schema['items']) ? valueOf(schema['items']) : 'x'];
    case 'object':
      return {};
    default:
      return schema['format'] === 'date-time' ? '2026-01-01T00:00:00Z' : 'sample-text';
  }
}

const isHash = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
