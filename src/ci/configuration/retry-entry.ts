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
  if (typeof value === 'number') {
    const max = new Entry(location, new Map([['config', value]])).wholeNumber('config', 0, MOST);
    return { max: max ?? 0, when: ['always'] };
  }
  if (!isHash(value)) refuse(location, 'has to be either an integer or a hash');
  const entry = new Entry(location, value);
  entry.allowOnly(['max', 'when']);
  return { max: entry.wholeNumber('max', 0, MOST) ?? 0, when: failuresOf(entry) };
}

function failuresOf(entry: Entry): readonly string[] {
  const when = entry.textOrTexts('when') ?? ['always'];
  const unknown = when.filter((failure) => !KNOWN_FAILURES.includes(failure));
  if (unknown.length === 0) return when;
  const isOne = typeof entry.get('when') === 'string';
  return entry.refuse(
    'when',
    isOne ? 'is not included in the list' : `contains unknown values: ${unknown.join(', ')}`,
  );
}
