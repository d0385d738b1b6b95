import { Entry, refuse } from './entry';
import { isHash, type YamlValue } from './yaml-document';

/** How often a failed job is tried again by itself, and after which failures. */
export interface Retry {
  readonly max: number;
  readonly when: readonly string[];
}

const MOST = 2;
const KNOWN_FAILURES = [
  'always',
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
];

export function readRetry(location: string, value: YamlValue): Retry {
  if (typeof value === 'number') return { max: maxOf(location, 'config', value), when: ['always'] };
  if (!isHash(value)) refuse(location, 'has to be either an integer or a hash');
  const entry = new Entry(location, value);
  entry.allowOnly(['max', 'when']);
  const max = entry.get('max');
  const when = entry.textOrTexts('when') ?? ['always'];
  const unknown = when.filter((failure) => !KNOWN_FAILURES.includes(failure));
  if (unknown.length > 0) entry.refuse('when', `contains unknown values: ${unknown.join(', ')}`);
  return { max: max === undefined ? 0 : maxOf(location, 'max', max), when };
}

function maxOf(location: string, attribute: string, value: YamlValue): number {
  if (typeof value !== 'number') refuse(location, `${attribute} is not a number`);
  if (value < 0) refuse(location, `${attribute} must be greater than or equal to 0`);
  if (value > MOST) refuse(location, `${attribute} must be less than or equal to ${MOST}`);
  return value;
}
