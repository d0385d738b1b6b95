import { readConfiguration, type Configuration } from './configuration';
import { ConfigurationError } from './configuration-error';
import type { SingleJob } from './parallel-jobs';

const read = (text: string): Promise<Configuration> => readConfiguration(text, null);

/** What a configuration with this job comes to: the job, or the sentence with which it is refused. */
async function outcome(keys: string): Promise<SingleJob | string | undefined> {
  try {
    const { jobs } = await read(`
first: { stage: build, script: x }
second: { stage: build, script: x, environment: { name: review, action: stop } }
job: { stage: test, script: x, ${keys} }`);
    return jobs.find(({ configuredName }) => configuredName === 'job');
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

const DURATION = 'should be a duration';
const LIMIT = 'should not exceed the limit';

/** Where the reference's release 12.4 draws its lines. */
describe('a keyword at its edge', () => {
  it.each<[string, object | string]>([
    // Durations are text; no time at all is none, and none is below zero.
    ['timeout: 1 second', { timeoutSeconds: 1 }],
    ['timeout: "90"', { timeoutSeconds: 90 }],
    ['timeout: 30 days', { timeoutSeconds: 2_592_000 }],
    ['timeout: 30 days 1 second', `jobs:job:timeout config ${LIMIT}`],
    ['timeout: 999999999 years', `jobs:job:timeout config ${DURATION}`],
    ['timeout: 100', `jobs:job:timeout config ${DURATION}`],
    ['timeout: 0', `jobs:job:timeout config ${DURATION}`],
    ['timeout: "0"', `jobs:job:timeout config ${DURATION}`],
    ['timeout: 0 minutes', `jobs:job:timeout config ${DURATION}`],
    ['timeout: -1 hour', `jobs:job:timeout config ${DURATION}`],
    ['timeout: 1.5', `jobs:job:timeout config ${DURATION}`],
    ['timeout: true', `jobs:job:timeout config ${DURATION}`],
    ['artifacts: { expire_in: 42 }', `jobs:job:artifacts expire in ${DURATION}`],
    ['artifacts: { expire_in: "42" }', { artifacts: { expireIn: '42' } }],
    ['artifacts: { expire_in: 3 mins 4 sec }', { artifacts: { expireIn: '3 mins 4 sec' } }],
    ['artifacts: { expire_in: 47 yrs 6 mos and 4d }', { artifacts: { expireIn: '47 yrs 6 mos and 4d' } }],
    ['artifacts: { expire_in: "0" }', `jobs:job:artifacts expire in ${DURATION}`],
    ['artifacts: { expire_in: never }', `jobs:job:artifacts expire in ${DURATION}`],
    ['when: delayed, start_in: 1 day', { startInSeconds: 86_400, when: 'delayed' }],
    ['when: delayed, start_in: 1 day 1 second', `jobs:job start in ${LIMIT}`],
    ['when: delayed, start_in: 60', `jobs:job start in ${DURATION}`],
    ['when: delayed, start_in: 0 seconds', `jobs:job start in ${DURATION}`],
    ['when: manual, start_in: 1 hour', 'jobs:job start in must be blank'],
    ['when: never', 'jobs:job when should be one of: on_success, on_failure, always, manual, delayed'],
    // Whole numbers, in quotes too.
    ['parallel: 2', { parallel: 2, place: { index: 1, total: 2 } }],
    ['parallel: "50"', { parallel: 50 }],
    ['parallel: 2.5', 'jobs:job parallel must be an integer'],
    ['parallel: -2', 'jobs:job parallel must be greater than or equal to 2'],
    ['parallel: { matrix: [] }', 'jobs:job parallel is not a number'],
    ['retry: 0', { retry: { max: 0, when: ['always'] } }],
    ['retry: 2', { retry: { max: 2 } }],
    ['retry: "2"', 'jobs:job:retry has to be either an integer or a hash'],
    ['retry: 1.5', 'jobs:job:retry has to be either an integer or a hash'],
    ['retry: { max: "1" }', { retry: { max: 1, when: ['always'] } }],
    ['retry: { max: 1.5 }', 'jobs:job:retry max must be an integer'],
    ['retry: { when: runner_system_failure }', { retry: { max: 0, when: ['runner_system_failure'] } }],
    ['retry: { max: 1, when: nonsense }', 'jobs:job:retry when is not included in the list'],
    ['retry: { max: 1, when: [nonsense] }', 'jobs:job:retry when contains unknown values: nonsense'],
    // Which refs.
    ['only: {}', "jobs:job:only config can't be blank"],
    ['only: []', { only: { refs: [] } }],
    ['only: { changes: [a] }', { only: { refs: ['branches', 'tags'], changes: ['a'] } }],
    ['only: { refs: [tags] }', { only: { refs: ['tags'] } }],
    ['only: ["/^v\\\\d+$/imsU"]', { only: { refs: ['/^v\\d+$/imsU'] } }],
    ['only: ["/^v/x"]', { only: { refs: ['/^v/x'] } }],
    ['except: { kubernetes: sometimes }', 'jobs:job:except kubernetes unknown value: only `active` is known'],
    ['only: { variables: [1] }', 'jobs:job:only variables should be an array of strings'],
    // Rules came without allow_failure and variables.
    ['rules: [{ if: 1 }]', 'jobs:job:rules:rule if invalid expression syntax'],
    ['rules: [{ when: 1 }]', 'jobs:job:rules:rule when unknown value: 1'],
    ['rules: [{ allow_failure: true }]', 'jobs:job:rules:rule config contains unknown keys: allow_failure'],
    ['rules: [{ variables: {} }]', 'jobs:job:rules:rule config contains unknown keys: variables'],
    ['rules: [[{ when: always }]]', 'jobs:job rules should be an array of hashes'],
    ['rules: [{ when: delayed, start_in: 2 days }]', `jobs:job:rules:rule start in ${LIMIT}`],
    ['rules: [{ when: always }], when: manual', 'jobs:job config key may not be used with `rules`: when'],
    ['rules: [], only: [a], except: [b]', 'jobs:job config key may not be used with `rules`: only, except'],
    // What others it waits for.
    ['needs: [first], dependencies: []', { needs: ['first'], dependencies: [] }],
    ['needs: [job]', 'job job: need job is not defined in prior stages'],
    ['needs: first', 'jobs:job needs should be an array of strings'],
    ['dependencies: [first, nobody]', 'job job: undefined dependency: nobody'],
    // Environments.
    ['environment: review/$CI_COMMIT_REF_NAME', { environment: { action: 'start' } }],
    ['environment: { name: review, on_stop: second }', { environment: { name: 'review', onStop: 'second' } }],
    [
      'environment: { name: other, on_stop: second }',
      'job job: on_stop job second have different environment name',
    ],
    [
      'environment: { name: x, on_stop: first }',
      'job job: on_stop job first does not have environment defined',
    ],
    [
      'environment: { name: /x }',
      "jobs:job:environment name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
    ],
    // Scripts are flat, one command as text.
    ['before_script: one', 'jobs:job:before_script config should be an array of strings'],
    ['before_script: [[a, b], c]', 'jobs:job:before_script config should be an array of strings'],
    ['image: ""', "jobs:job:image name can't be blank"],
    ['image: { name: a, ports: [80] }', 'jobs:job:image config contains unknown keys: ports'],
    ['services: []', { services: [] }],
    ['variables: { A: }', 'jobs:job:variables config should be a hash of key value pairs'],
    ['variables: { A: [] }', 'jobs:job:variables config should be a hash of key value pairs'],
    ['variables: { 1: 2 }', { variables: [{ key: '1', value: '2' }] }],
    ['cache: { key: "%2e%2E" }', 'jobs:job:cache:key config cannot be "." or ".."'],
    ['cache: { key: 1 }', 'jobs:job:cache:key config should be a string or symbol'],
    ['only: { refs: ["/*invalid/"] }', 'jobs:job:only refs should be an array of strings or regexps'],
    ['cache: {}', { cache: { key: 'default', policy: 'pull-push' } }],
    ['coverage: /\\d+/i', { coverageRegex: '\\d+' }],
    ['coverage: "\\\\d+"', 'jobs:job:coverage config must be a regular expression'],
    ['interruptible: "true"', 'jobs:job:interruptible config should be a boolean value'],
    ['tags: [1]', 'jobs:job tags should be an array of strings'],
    // Of later releases.
    ['inherit: { default: false }', 'jobs:job config contains unknown keys: inherit'],
    ['resource_group: production', 'jobs:job config contains unknown keys: resource_group'],
    ['release: { tag_name: v1 }', 'jobs:job config contains unknown keys: release'],
    ['cache: { key: { files: [a] } }', 'jobs:job:cache:key config should be a string or symbol'],
  ])('%s', async (keys, expected) => {
    const found = await outcome(keys);
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatchObject(expected);
  });
});
