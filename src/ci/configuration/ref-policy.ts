import { Entry, refuse, textsOf } from './entry';
import { parseExpression, type Expression } from './expressions';
import { ExpressionPattern, looksLikePattern } from './expression-pattern';
import { isHash, isList, type YamlValue } from './yaml-document';

/** `only` or `except`: what is left out asks for nothing. */
export interface RefPolicy {
  readonly refs?: readonly string[];
  /** Never holds: no cluster is known here. */
  readonly kubernetes?: true;
  readonly variables?: readonly Expression[];
  readonly changes?: readonly string[];
}

/** One of a job's `rules`: the first that fits decides. */
export interface Rule {
  readonly if?: Expression;
  readonly changes?: readonly string[];
  readonly exists?: readonly string[];
  readonly when?: RuleWhen;
  readonly startInSeconds?: number;
}

const RULE_WHEN = ['on_success', 'on_failure', 'always', 'never', 'manual', 'delayed'] as const;
export type RuleWhen = (typeof RULE_WHEN)[number];

/** What a job that says nothing of refs is for. */
export const DEFAULT_POLICY: RefPolicy = { refs: ['branches', 'tags'] };

const DAY = 86_400;
const MOST_PATTERNS = 50;
const INVALID_EXPRESSION = 'invalid expression syntax';

export function readPolicy(location: string, value: YamlValue): RefPolicy {
  if (isList(value)) return { refs: readRefs(location, value, 'config') };
  if (!isHash(value)) refuse(location, 'has to be either an array of conditions or a hash');
  if (value.size === 0) refuse(location, "config can't be blank");
  const entry = new Entry(location, value);
  entry.allowOnly(['refs', 'kubernetes', 'variables', 'changes']);
  const [refs, variables] = [entry.get('refs'), entry.texts('variables')];
  const changes = entry.texts('changes');
  const isForCluster =
    entry.oneOf('kubernetes', ['active'], 'unknown value: only `active` is known') !== undefined;
  return {
    ...(refs !== undefined && { refs: readRefs(location, refs, 'refs') }),
    ...(isForCluster && { kubernetes: true }),
    ...(variables && { variables: variables.map((text) => readExpression(entry, 'variables', text)) }),
    ...(changes && { changes }),
  };
}

function readRefs(location: string, value: YamlValue, attribute: string): readonly string[] {
  const refs = textsOf(value);
  const problem = `${attribute} should be an array of strings or regexps`;
  if (!refs) refuse(location, problem);
  // A pattern may name the project it is about: /^v/@group/project.
  const isReadable = (ref: string): boolean => {
    const [pattern = ''] = ref.split('@', 1);
    return !looksLikePattern(pattern) || ExpressionPattern.read(pattern) !== null;
  };
  if (!refs.every(isReadable)) refuse(location, problem);
  return refs;
}

const readExpression = (entry: Entry, key: string, text: string): Expression =>
  parseExpression(text) ?? entry.refuse(key, INVALID_EXPRESSION);

export function readRules(job: Entry, value: YamlValue): readonly Rule[] {
  if (!isList(value) || !value.every(isHash)) job.refuse('rules', 'should be an array of hashes');
  return value.map((rule) => readRule(new Entry(`${job.at('rules')}:rule`, rule)));
}

function readRule(entry: Entry): Rule {
  entry.allowOnly(['if', 'changes', 'exists', 'when', 'start_in']);
  const when = entry.oneOf('when', RULE_WHEN, `unknown value: ${shown(entry.get('when'))}`);
  if (when !== 'delayed' && entry.has('start_in'))
    refuse(entry.location, 'config contains disallowed keys: start_in');
  if (when === 'delayed' && !entry.has('start_in')) entry.refuse('start_in', "can't be blank");
  const startInSeconds = entry.duration('start_in', DAY);
  const condition = entry.get('if');
  if (condition !== undefined && typeof condition !== 'string') entry.refuse('if', INVALID_EXPRESSION);
  const [changes, exists] = [patternsOf(entry, 'changes'), patternsOf(entry, 'exists')];
  return {
    ...(condition !== undefined && { if: readExpression(entry, 'if', condition) }),
    ...(changes && { changes }),
    ...(exists && { exists }),
    ...(when && { when }),
    ...(startInSeconds !== undefined && { startInSeconds }),
  };
}

const shown = (value: YamlValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function patternsOf(entry: Entry, key: string): readonly string[] | undefined {
  const patterns = entry.texts(key);
  if (patterns && patterns.length > MOST_PATTERNS)
    entry.refuse(key, `is too long (maximum is ${MOST_PATTERNS} characters)`);
  return patterns;
}
