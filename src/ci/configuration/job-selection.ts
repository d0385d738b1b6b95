import { requireTime, withinTime } from './deadline';
import { ExpressionPattern } from './expression-pattern';
import type { Variables } from './expressions';
import type { JobWhen } from './job-definition';
import type { SingleJob } from './parallel-jobs';
import { PathPatterns } from './path-pattern';
import type { RefPolicy, Rule } from './ref-policy';

/** What a pipeline is for, as far as its jobs are chosen by it. */
export interface SelectionFacts {
  readonly projectPath: string;
  readonly ref: string;
  readonly kind: 'branch' | 'tag' | 'merge_request';
  /** What made it: "push", "api", "web", "merge_request". */
  readonly source: string;
  /** Those of the service and of the whole configuration. A job's own win over them. */
  readonly variables: Variables;
  /** They win over a job's own. */
  readonly givenVariables: Variables;
  /** Null where nobody can say, as for a new branch: then everything counts as changed. */
  readonly changedPaths: readonly string[] | null;
  /** All files at the commit; null where they are too many to look at. */
  readonly paths: readonly string[] | null;
}

/** When a chosen job runs. */
export interface Chosen {
  readonly job: SingleJob;
  readonly when: JobWhen;
  readonly startInSeconds: number | null;
}

/** The reference looks at no more pairs of pattern and file, and then takes it that one fits. */
const MOST_COMPARISONS = 10_000;

/** The jobs that a pipeline has, in their order. Throws ConfigurationError where a condition cannot be judged. */
export function selectJobs(jobs: readonly SingleJob[], facts: SelectionFacts): Chosen[] {
  return withinTime(() => jobs.flatMap((job) => chosen(job, facts) ?? []));
}

/** The pipeline's variables may be too many to be copied for each job. */
function chosen(job: SingleJob, { givenVariables: given, ...facts }: SelectionFacts): Chosen | null {
  requireTime();
  const own = new Map(job.variables.map(({ key, value }) => [key, value]));
  const itself = variablesAbout(job);
  const get = (name: string): string | undefined =>
    given.get(name) ?? own.get(name) ?? facts.variables.get(name) ?? itself.get(name);
  const known = { ...facts, variables: { get } };
  return job.rules ? byRules(job, job.rules, known) : byPolicies(job, known);
}

/** What a job is told of itself, as far as it is known before it is made. */
const variablesAbout = ({ name, stage, place }: SingleJob): Variables =>
  new Map([
    ['CI_JOB_NAME', name],
    ['CI_JOB_STAGE', stage],
    ['CI_BUILD_NAME', name],
    ['CI_BUILD_STAGE', stage],
    ...(place ? [['CI_NODE_INDEX', String(place.index)] as const] : []),
    ['CI_NODE_TOTAL', String(place?.total ?? 1)],
  ]);

/** As one job sees them. */
type FactsOfJob = Omit<SelectionFacts, 'givenVariables'>;

/** What has to be found out before jobs can be chosen. */
export const asksForChanges = (jobs: readonly SingleJob[]): boolean =>
  jobs.some(
    ({ only, except, rules }) =>
      only?.changes !== undefined ||
      except?.changes !== undefined ||
      rules?.some(({ changes }) => changes !== undefined),
  );

export const asksForPaths = (jobs: readonly SingleJob[]): boolean =>
  jobs.some(({ rules }) => rules?.some(({ exists }) => exists !== undefined));

function byRules(job: SingleJob, rules: readonly Rule[], facts: FactsOfJob): Chosen | null {
  const rule = rules.find((one) => fits(one, facts));
  if (!rule || rule.when === 'never') return null;
  return { job, when: rule.when ?? 'on_success', startInSeconds: rule.startInSeconds ?? null };
}

function fits(rule: Rule, facts: FactsOfJob): boolean {
  if (rule.if && !rule.if.holds(facts.variables)) return false;
  if (rule.changes && !hasChanged(rule.changes, facts)) return false;
  return !rule.exists || exists(rule.exists, facts);
}

function byPolicies(job: SingleJob, facts: FactsOfJob): Chosen | null {
  const { only, except, when, startInSeconds } = job;
  if (only && !meetsAll(only, facts)) return null;
  return except && meetsAny(except, facts) ? null : { job, when, startInSeconds };
}

/** All of what `only` asks for. */
function meetsAll(policy: RefPolicy, facts: FactsOfJob): boolean {
  return conditionsOf(policy, facts).every((condition) => condition());
}

/** Any of what `except` names is enough. */
function meetsAny(policy: RefPolicy, facts: FactsOfJob): boolean {
  return conditionsOf(policy, facts).some((condition) => condition());
}

function conditionsOf(policy: RefPolicy, facts: FactsOfJob): (() => boolean)[] {
  const { refs, variables, changes, kubernetes } = policy;
  return [
    ...(refs ? [() => refs.some((ref) => isRef(ref, facts))] : []),
    ...(kubernetes ? [() => false] : []),
    ...(variables ? [() => variables.some((one) => one.holds(facts.variables))] : []),
    ...(changes ? [() => hasChanged(changes, facts)] : []),
  ];
}

function isRef(given: string, { kind, source, ref, projectPath }: FactsOfJob): boolean {
  const at = given.indexOf('@');
  const [pattern, path] = at < 0 ? [given, null] : [given.slice(0, at), given.slice(at + 1)];
  if (path !== null && path !== projectPath) return false;
  if (pattern === 'branches' && kind === 'branch') return true;
  if (pattern === 'tags' && kind === 'tag') return true;
  if (pattern === source || pattern === pluralOf(source)) return true;
  if (kind === 'merge_request') return false;
  const compiled = ExpressionPattern.read(pattern);
  return compiled ? compiled.isIn(ref) : pattern === ref;
}

const pluralOf = (source: string): string => (source.endsWith('sh') ? `${source}es` : `${source}s`);

function hasChanged(patterns: readonly string[], { changedPaths }: FactsOfJob): boolean {
  return changedPaths === null || new PathPatterns(patterns).fitAny(changedPaths);
}

function exists(given: readonly string[], { paths }: FactsOfJob): boolean {
  if (paths === null) return true;
  const patterns = new PathPatterns(given);
  if (patterns.wildCount * paths.length > MOST_COMPARISONS) return true;
  return patterns.fitAny(paths);
}
