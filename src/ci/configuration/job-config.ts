import { Entry, refuse } from './entry';
import {
  JOB_WHEN,
  type ArtifactsDefinition,
  type CacheDefinition,
  type EnvironmentDefinition,
  type ImageDefinition,
  type JobWhen,
  type ServiceDefinition,
  type VariableDefinition,
} from './job-definition';
import { DEFAULT_POLICY, readPolicy, readRules, type RefPolicy, type Rule } from './ref-policy';
import { readArtifacts, readCache, readCoverage, readEnvironment } from './result-entries';
import { readRetry, type Retry } from './retry-entry';
import { readCommands, readImage, readScript, readServices, readVariables } from './script-entries';
import type { YamlHash, YamlValue } from './yaml-document';

/** What jobs have in common unless they say otherwise. */
export interface JobDefaults {
  readonly beforeScript?: readonly string[];
  readonly afterScript?: readonly string[];
  readonly image?: ImageDefinition;
  readonly services?: readonly ServiceDefinition[];
  readonly cache?: CacheDefinition;
  readonly artifacts?: ArtifactsDefinition;
  readonly retry?: Retry;
  readonly tags?: readonly string[];
  readonly timeoutSeconds?: number;
  readonly interruptible?: boolean;
}

/** One job as a configuration describes it. */
export interface JobConfig extends JobDefaults {
  readonly name: string;
  readonly stage: string;
  readonly script: readonly string[];
  readonly variables: readonly VariableDefinition[];
  readonly when: JobWhen;
  readonly startInSeconds: number | null;
  readonly allowFailure: boolean;
  /** Null where rules decide. */
  readonly only: RefPolicy | null;
  readonly except: RefPolicy | null;
  readonly rules: readonly Rule[] | null;
  readonly needs: readonly string[] | null;
  readonly dependencies: readonly string[] | null;
  readonly environment: EnvironmentDefinition | null;
  readonly coverageRegex: string | null;
  /** How many equal jobs it is. */
  readonly parallel: number | null;
}

const DEFAULT_KEYS = [
  'before_script',
  'image',
  'services',
  'after_script',
  'cache',
  'interruptible',
  'timeout',
  'retry',
  'tags',
  'artifacts',
];
const JOB_KEYS = [
  ...DEFAULT_KEYS,
  ...[
    'script',
    'only',
    'except',
    'rules',
    'type',
    'stage',
    'allow_failure',
    'when',
    'start_in',
    'dependencies',
  ],
  ...['needs', 'variables', 'environment', 'coverage', 'parallel', 'extends'],
];
const NOT_BESIDE_RULES = ['only', 'except', 'when', 'start_in'];
const DEFAULT_STAGE = 'test';
const DAY = 86_400;
const LONGEST_TIMEOUT = 30 * DAY;
const MOST_PARALLEL = 50;
const LONGEST_NAME = 255;

/** What `default` says. */
export function readDefaults(location: string, value: YamlValue): JobDefaults {
  const entry = Entry.of(location, value);
  entry.allowOnly(DEFAULT_KEYS);
  return commonOf(entry);
}

/** Throws ConfigurationError. */
export function readJob(name: string, hash: YamlHash, defaults: JobDefaults): JobConfig {
  const job = new Entry(`jobs:${name}`, hash);
  refuseKeys(job);
  const plain = plainPartOf(job);
  const [stage, only, except] = [job.get('stage') ?? job.get('type'), job.get('only'), job.get('except')];
  const [rules, variables, environment] = [job.get('rules'), job.get('variables'), job.get('environment')];
  const coverage = job.get('coverage');
  if (stage !== undefined && typeof stage !== 'string')
    refuse(job.at(job.has('stage') ? 'stage' : 'type'), 'config should be a string');
  return {
    ...defaults,
    ...commonOf(job),
    ...plain,
    name,
    stage: stage ?? DEFAULT_STAGE,
    script: readScript(job.at('script'), job.get('script') ?? null),
    only: job.has('rules') ? null : policyOf(job.at('only'), only),
    except: except === undefined ? null : readPolicy(job.at('except'), except),
    rules: rules === undefined ? null : readRules(job, rules),
    variables: variables === undefined ? [] : readVariables(job.at('variables'), variables),
    environment: environment === undefined ? null : readEnvironment(job.at('environment'), environment),
    coverageRegex: coverage === undefined ? null : readCoverage(job.at('coverage'), coverage),
  };
}

function refuseKeys(job: Entry): void {
  if (job.has('trigger'))
    refuse(job.location, 'trigger is not supported: pipelines of other projects are not started');
  job.allowOnly(JOB_KEYS);
  const excess = job.has('rules') ? NOT_BESIDE_RULES.filter((key) => job.has(key)) : [];
  if (excess.length > 0)
    refuse(job.location, `config key may not be used with \`rules\`: ${excess.join(', ')}`);
  const script = job.get('script');
  const isEmpty = Array.isArray(script) ? script.length === 0 : script === undefined || script === '';
  if (isEmpty) job.refuse('script', "can't be blank");
  if (job.location.trim() === 'jobs:') refuse('jobs:job', "name can't be blank");
  if (job.location.length > LONGEST_NAME)
    job.refuse('name', `is too long (maximum is ${LONGEST_NAME} characters)`);
}

function plainPartOf(job: Entry) {
  const when = job.oneOf('when', JOB_WHEN, `should be one of: ${JOB_WHEN.join(', ')}`) ?? 'on_success';
  const needs = job.texts('needs') ?? [];
  const dependencies = job.texts('dependencies') ?? null;
  const needed = new Set(needs);
  const lacking = needs.length === 0 ? [] : (dependencies ?? []).filter((name) => !needed.has(name));
  if (lacking.length > 0) job.refuse('dependencies', `the ${lacking.join(', ')} should be part of needs`);
  if (needs.length > 0 && !job.has('stage')) refuse(job.location, 'config missing required keys: stage');
  return {
    when,
    startInSeconds: startOf(job, when),
    // Who has to be asked is not waited for, unless the job says so.
    allowFailure: job.boolean('allow_failure') ?? when === 'manual',
    parallel: job.wholeNumber('parallel', 2, MOST_PARALLEL) ?? null,
    needs: needs.length > 0 ? needs : null,
    dependencies,
  };
}

function startOf(job: Entry, when: JobWhen): number | null {
  if (when === 'delayed')
    return job.duration('start_in', DAY) ?? job.refuse('start_in', 'should be a duration');
  return job.has('start_in') ? job.refuse('start_in', 'must be blank') : null;
}

/** A hash that names no refs is about the usual ones. */
const policyOf = (location: string, value: YamlValue | undefined): RefPolicy =>
  value === undefined ? DEFAULT_POLICY : { ...DEFAULT_POLICY, ...readPolicy(location, value) };

function commonOf(entry: Entry): JobDefaults {
  const at = <T>(key: string, read: (location: string, value: YamlValue) => T): T | undefined => {
    const value = entry.get(key);
    return value === undefined ? undefined : read(entry.at(key), value);
  };
  const [tags, timeoutSeconds] = [entry.texts('tags'), at('timeout', readTimeout)];
  const [beforeScript, afterScript] = [at('before_script', readCommands), at('after_script', readCommands)];
  const [image, services] = [at('image', readImage), at('services', readServices)];
  const [cache, artifacts] = [at('cache', readCache), at('artifacts', readArtifacts)];
  const [retry, interruptible] = [at('retry', readRetry), at('interruptible', readFlag)];
  return {
    ...(beforeScript && { beforeScript }),
    ...(afterScript && { afterScript }),
    ...(image && { image }),
    ...(services && { services }),
    ...(cache && { cache }),
    ...(artifacts && { artifacts }),
    ...(retry && { retry }),
    ...(tags && { tags }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(interruptible !== undefined && { interruptible }),
  };
}

/** Seconds. */
const readTimeout = (location: string, value: YamlValue): number | undefined =>
  new Entry(location, new Map([['config', value]])).duration('config', LONGEST_TIMEOUT);

const readFlag = (location: string, value: YamlValue): boolean =>
  typeof value === 'boolean' ? value : refuse(location, 'config should be a boolean value');
