import { ConfigurationError } from './configuration-error';
import { requireTime, withinTime } from './deadline';
import { Entry, refuse, textsOf } from './entry';
import { withExtensions } from './extensions';
import { withInclusions, type ReadFile } from './inclusions';
import { readDefaults, readJob, type JobDefaults } from './job-config';
import { requireOrder } from './job-order';
import type { VariableDefinition } from './job-definition';
import { withParallelJobs, type SingleJob } from './parallel-jobs';
import { readVariables } from './script-entries';
import { requireModestSize } from './weight';
import { isHash, readYaml, type YamlHash, type YamlValue } from './yaml-document';

/** What a project's configuration file asks for, whole and checked. */
export interface Configuration {
  /** In their order. */
  readonly stages: readonly string[];
  readonly jobs: readonly SingleJob[];
  readonly variables: readonly VariableDefinition[];
}

const DEFAULT_STAGES = ['build', 'test', 'deploy'];
const [FIRST_STAGE, LAST_STAGE] = ['.pre', '.post'];
/** At the root, of which `default` may have them instead. */
const ROOT_DEFAULTS = ['before_script', 'image', 'services', 'after_script', 'cache'];
const ROOT_KEYS = ['default', 'include', 'variables', 'stages', 'types', ...ROOT_DEFAULTS];
const LONGEST_STAGE = 255;
/** What no pipeline should have to hold. */
const MOST_JOBS = 2_000;

/**
 * Reads a configuration with all that it includes. Throws ConfigurationError with the first thing that is wrong with
 * it, in the reference's words.
 */
export async function readConfiguration(text: string, read: ReadFile | null): Promise<Configuration> {
  if (text.trim() === '') throw new ConfigurationError('Please provide content of .gitlab-ci.yml');
  const root = await withInclusions(readYaml(text), read);
  return withinTime(() => configurationIn(withExtensions(root)));
}

function configurationIn(root: YamlHash): Configuration {
  requireModestSize([...root].flatMap(([name, value]) => (isHidden(name) ? [] : [value])));
  const jobs = jobsIn(root);
  const entry = new Entry('root', new Map([...root].filter(([name]) => !jobs.has(name) && !isHidden(name))));
  entry.allowOnly(ROOT_KEYS);
  const defaults = defaultsOf(entry);
  const stages = stagesOf(entry);
  const variables = entry.get('variables');
  const global = variables === undefined ? [] : readVariables('variables', variables);
  requireFewJobs(jobs.size);
  const configured = visible(jobs).map(([name, hash]) => {
    requireTime();
    return readJob(name, hash, defaults);
  });
  requireFewJobs(configured.reduce((count, { parallel }) => count + (parallel ?? 1), 0));
  const all = withParallelJobs(configured);
  requireOrder(all, stages);
  return { stages, jobs: all, variables: global };
}

function requireFewJobs(count: number): void {
  if (count > MOST_JOBS) refuse('jobs', `config should contain at most ${MOST_JOBS} jobs`);
}

const isHidden = (name: string): boolean => name.startsWith('.');

/** What has a script is a job; keys that mean something else never are. */
function jobsIn(root: YamlHash): ReadonlyMap<string, YamlHash> {
  const jobs = new Map<string, YamlHash>();
  for (const [name, value] of root) {
    const isJob = isHash(value) && (value.has('script') || value.has('trigger'));
    if (isJob && !isHidden(name) && !ROOT_KEYS.includes(name)) jobs.set(name, value);
  }
  return jobs;
}

function visible(jobs: ReadonlyMap<string, YamlHash>): (readonly [string, YamlHash])[] {
  if (jobs.size === 0) refuse('jobs', 'config should contain at least one visible job');
  return [...jobs];
}

function defaultsOf(root: Entry): JobDefaults {
  const given = root.get('default');
  const own: YamlHash = new Map(
    ROOT_DEFAULTS.flatMap((key): [string, YamlValue][] => {
      const value = root.get(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
  const [twice] = isHash(given) ? [...own.keys()].filter((key) => given.has(key)) : [];
  if (twice !== undefined) root.refuse(twice, 'is defined in top-level and `default:` entry');
  const inRoot = readRootDefaults(own);
  return given === undefined ? inRoot : { ...inRoot, ...readDefaults('default', given) };
}

/** Their entries stand at the root itself: "image config should be ...". */
function readRootDefaults(own: YamlHash): JobDefaults {
  try {
    return readDefaults('', own);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(error.message.replace(/^:/, ''), { cause: error });
  }
}

function stagesOf(root: Entry): readonly string[] {
  const key = root.has('stages') ? 'stages' : 'types';
  const given = root.get(key);
  const own = given === undefined ? DEFAULT_STAGES : textsOf(given);
  if (!own) refuse(key, 'config should be an array of strings');
  if (own.some((stage) => stage.length > LONGEST_STAGE))
    refuse(key, `config should have names of at most ${LONGEST_STAGE} characters`);
  const middle = own.filter((stage) => stage !== FIRST_STAGE && stage !== LAST_STAGE);
  return [FIRST_STAGE, ...new Set(middle), LAST_STAGE];
}
