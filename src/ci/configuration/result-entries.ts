import { Entry, refuse } from './entry';
import { ExpressionPattern } from './expression-pattern';
import {
  ARTIFACTS_WHEN,
  CACHE_POLICIES,
  type ArtifactsDefinition,
  type CacheDefinition,
  type EnvironmentDefinition,
} from './job-definition';
import type { YamlValue } from './yaml-document';

const REPORTS = [
  'codequality',
  'sast',
  'dependency_scanning',
  'container_scanning',
  'dast',
  'performance',
  'license_management',
  'license_scanning',
  'junit',
  'metrics',
  'network_referee',
  'dotenv',
  'cobertura',
  'terraform',
] as const;

/** What a job leaves behind. */
export function readArtifacts(location: string, value: YamlValue): ArtifactsDefinition {
  const entry = Entry.of(location, value);
  entry.allowOnly(['name', 'untracked', 'paths', 'reports', 'when', 'expire_in', 'expose_as']);
  const name = entry.text('name');
  const untracked = entry.boolean('untracked');
  const paths = entry.texts('paths');
  const when = entry.oneOf('when', ARTIFACTS_WHEN, 'should be on_success, on_failure or always');
  const exposeAs = entry.text('expose_as');
  const expireIn = entry.durationText('expire_in');
  const reports = entry.get('reports');
  return {
    ...(name !== undefined && { name }),
    ...(untracked !== undefined && { untracked }),
    ...(paths && { paths }),
    ...(when && { when }),
    ...(expireIn !== undefined && { expireIn }),
    ...(exposeAs !== undefined && { exposeAs }),
    ...(reports !== undefined && { reports: readReports(entry, reports) }),
  };
}

function readReports(artifacts: Entry, value: YamlValue): Record<string, readonly string[]> {
  const entry = Entry.of(artifacts.location, value, 'reports should be a hash');
  const reports = new Entry(artifacts.at('reports'), entry.hash);
  reports.allowOnly(REPORTS);
  return Object.fromEntries(
    REPORTS.flatMap((kind) => {
      const paths = reports.textOrTexts(kind);
      return paths ? [[kind, paths]] : [];
    }),
  );
}

/** What jobs hand on between pipelines. */
export function readCache(location: string, value: YamlValue): CacheDefinition {
  const entry = Entry.of(location, value);
  entry.allowOnly(['key', 'untracked', 'paths', 'policy']);
  const policy = entry.oneOf('policy', CACHE_POLICIES, 'should be pull-push, push, or pull');
  const key = entry.get('key');
  const untracked = entry.get('untracked');
  const paths = entry.get('paths');
  if (untracked !== undefined && typeof untracked !== 'boolean')
    refuse(entry.at('untracked'), 'config should be a boolean value');
  const texts = paths === undefined ? undefined : listAt(entry.at('paths'), paths);
  return {
    key: key === undefined ? 'default' : readCacheKey(entry.at('key'), key),
    ...(texts && { paths: texts }),
    ...(untracked !== undefined && { untracked }),
    policy: policy ?? 'pull-push',
  };
}

const listAt = (location: string, value: YamlValue): readonly string[] =>
  new Entry(location, new Map([['config', value]])).texts('config') ?? [];

function readCacheKey(location: string, key: YamlValue): string {
  if (typeof key !== 'string') refuse(location, 'config should be a string or symbol');
  if (key.includes('/') || key.toUpperCase().includes('%2F'))
    refuse(location, 'config cannot contain the "/" character, or the uri-encoded form "%2F"');
  if (/^(?:\.|%2e){1,2}$/i.test(key)) refuse(location, 'config cannot be "." or ".."');
  return key;
}

const ENVIRONMENT_NAME = /^[a-zA-Z0-9_\\$.{} -](?:[a-zA-Z0-9_\\$.{} /-]*[a-zA-Z0-9_\\$.{} -])?$/;
const LONGEST_NAME = 255;

/** Where a job deploys to. */
export function readEnvironment(location: string, value: YamlValue): EnvironmentDefinition {
  if (typeof value === 'string') return { name: environmentName(location, value), action: 'start' };
  const entry = Entry.of(location, value, 'config should be a hash or a string');
  entry.allowOnly(['name', 'url', 'action', 'on_stop', 'kubernetes']);
  const name = environmentName(location, entry.text('name') ?? '');
  const url = entry.text('url');
  const action = entry.oneOf('action', ['start', 'stop'], 'should be start or stop') ?? 'start';
  const onStop = entry.text('on_stop');
  if (url !== undefined && url.length > LONGEST_NAME)
    entry.refuse('url', `is too long (maximum is ${LONGEST_NAME} characters)`);
  return { name, action, ...(url !== undefined && { url }), ...(onStop !== undefined && { onStop }) };
}

function environmentName(location: string, name: string): string {
  if (name.trim() === '') refuse(location, "name can't be blank");
  if (name.length > LONGEST_NAME || !ENVIRONMENT_NAME.test(name))
    refuse(
      location,
      "name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
    );
  return name;
}

/** The pattern that finds the coverage in a trace, without its slashes. */
export function readCoverage(location: string, value: YamlValue): string {
  const pattern = typeof value === 'string' ? ExpressionPattern.read(value) : null;
  return pattern?.source ?? refuse(location, 'config must be a regular expression');
}
