import { readConfiguration } from './configuration';
import { ConfigurationError } from './configuration-error';
import type { ReadFile } from './inclusions';

const read = (text: string, files: Record<string, string> = {}) => {
  const file: ReadFile = (path) => Promise.resolve(files[path] ?? null);
  return readConfiguration(text, file);
};

/** The sentence with which a configuration is refused. */
async function refusal(text: string, files?: Record<string, string>): Promise<string> {
  try {
    await read(text, files);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return 'accepted';
}

const job = (more: string, name = 'rspec'): string =>
  `${name}:\n  script: test\n  ${more.replaceAll('\n', '\n  ')}\n`;

describe('a configuration', () => {
  it('reads every key of a job', async () => {
    const { jobs, stages, variables } = await read(`
stages: [build, check]
variables: { A: 1, B: two }
image: ruby:2.6
before_script: [bundle]
cache: { key: gems, paths: [vendor], policy: pull, untracked: true }
default: { tags: [docker], retry: 1 }
compile: { stage: build, script: make }
rspec:
  stage: check
  script: [one, two]
  after_script: [sweep]
  image: { name: node:20, entrypoint: [""] }
  services: [postgres, { name: redis:5, alias: cache, command: [redis], entrypoint: [sh] }]
  variables: { B: 3 }
  tags: [a, b]
  needs: [compile]
  dependencies: [compile]
  allow_failure: true
  when: delayed
  start_in: 30 minutes
  timeout: 1h 30m
  retry: { max: 2, when: script_failure }
  interruptible: true
  coverage: '/(\\d+)%/'
  environment: { name: review/$CI_COMMIT_REF_SLUG, url: "https://x", on_stop: stop_review }
  artifacts: { name: n, paths: [out], when: always, expire_in: 1 week, untracked: true, reports: { junit: r.xml } }
stop_review:
  stage: check
  script: rm
  when: manual
  environment: { name: review/$CI_COMMIT_REF_SLUG, action: stop }
`);
    expect(stages).toEqual(['.pre', 'build', 'check', '.post']);
    expect(variables).toEqual([
      { key: 'A', value: '1' },
      { key: 'B', value: 'two' },
    ]);
    expect(jobs.map(({ name }) => name)).toEqual(['compile', 'rspec', 'stop_review']);
    expect(jobs[1]).toEqual({
      name: 'rspec',
      configuredName: 'rspec',
      place: null,
      parallel: null,
      stage: 'check',
      script: ['one', 'two'],
      beforeScript: ['bundle'],
      afterScript: ['sweep'],
      image: { name: 'node:20', entrypoint: [''] },
      services: [
        { name: 'postgres' },
        { name: 'redis:5', alias: 'cache', command: ['redis'], entrypoint: ['sh'] },
      ],
      cache: { key: 'gems', paths: ['vendor'], policy: 'pull', untracked: true },
      variables: [{ key: 'B', value: '3' }],
      tags: ['a', 'b'],
      needs: ['compile'],
      dependencies: ['compile'],
      allowFailure: true,
      when: 'delayed',
      startInSeconds: 1800,
      timeoutSeconds: 5400,
      retry: { max: 2, when: ['script_failure'] },
      interruptible: true,
      coverageRegex: '(\\d+)%',
      environment: {
        name: 'review/$CI_COMMIT_REF_SLUG',
        url: 'https://x',
        action: 'start',
        onStop: 'stop_review',
      },
      artifacts: {
        name: 'n',
        paths: ['out'],
        when: 'always',
        expireIn: '1 week',
        untracked: true,
        reports: { junit: ['r.xml'] },
      },
      only: { refs: ['branches', 'tags'] },
      except: null,
      rules: null,
    });
    expect(jobs[0]).toMatchObject({ tags: ['docker'], retry: { max: 1, when: ['always'] } });
    expect(jobs[2]).toMatchObject({ allowFailure: true, when: 'manual', environment: { action: 'stop' } });
  });

  it('has stages and a stage of its own where nothing is said', async () => {
    const { stages, jobs } = await read('a: { script: x }');
    expect(stages).toEqual(['.pre', 'build', 'test', 'deploy', '.post']);
    expect(jobs[0]).toMatchObject({ stage: 'test', when: 'on_success', allowFailure: false });
  });

  it('makes as many of a parallel job as it asks for, and has others wait for all of them', async () => {
    const { jobs } = await read(`
one: { stage: build, script: x, parallel: 2 }
two: { stage: test, script: y, needs: [one], dependencies: [one] }`);
    expect(jobs.map(({ name, place }) => [name, place])).toEqual([
      ['one 1/2', { index: 1, total: 2 }],
      ['one 2/2', { index: 2, total: 2 }],
      ['two', null],
    ]);
    expect(jobs[2]).toMatchObject({ needs: ['one 1/2', 'one 2/2'], dependencies: ['one 1/2', 'one 2/2'] });
  });
});

describe('a mistake', () => {
  it.each([
    ['', 'Please provide content of .gitlab-ci.yml'],
    ['hello', 'Invalid configuration format'],
    ['- a\n- b', 'Invalid configuration format'],
    ['a: *nowhere', 'Unknown alias: nowhere'],
    ['extra: bundle', 'root config contains unknown keys: extra'],
    ['extra: { services: x }', 'root config contains unknown keys: extra'],
    ['.hidden: { script: x }', 'jobs config should contain at least one visible job'],
    ['before_script: run\na: { script: x }', 'before_script config should be an array of strings'],
    ['before_script: [10, "run"]\na: { script: x }', 'before_script config should be an array of strings'],
    ['image: [x]\na: { script: x }', 'image config should be a hash or a string'],
    ['services: x\na: { script: x }', 'services config should be a array'],
    ['services: [10]\na: { script: x }', 'services:service config should be a hash or a string'],
    ['variables: [x]\na: { script: x }', 'variables config should be a hash of key value pairs'],
    ['variables: { A: true }\na: { script: x }', 'variables config should be a hash of key value pairs'],
    ['variables: { A: 1.5 }\na: { script: x }', 'variables config should be a hash of key value pairs'],
    ['stages: test\na: { script: x }', 'stages config should be an array of strings'],
    [
      'image: x\ndefault: { image: y }\na: { script: x }',
      'root image is defined in top-level and `default:` entry',
    ],
    ['default: { script: x }\na: { script: x }', 'default config contains unknown keys: script'],
    ['a: { script: [] }', "jobs:a script can't be blank"],
    ['a: { script: }', "jobs:a script can't be blank"],
    ['a: { script: { x: 1 } }', 'jobs:a:script config should be an array of strings or a string'],
    [
      'a: { trigger: group/other }',
      'jobs:a trigger is not supported: pipelines of other projects are not started',
    ],
  ])('%j: %s', async (text, sentence) => {
    expect(await refusal(text)).toBe(sentence);
  });

  it.each([
    ['sript: x', 'jobs:rspec config contains unknown keys: sript'],
    ['before_script: x', 'jobs:rspec:before_script config should be an array of strings'],
    ['after_script: [1]', 'jobs:rspec:after_script config should be an array of strings'],
    ['image: [x]', 'jobs:rspec:image config should be a hash or a string'],
    ['image: { name: x, foo: 1 }', 'jobs:rspec:image config contains unknown keys: foo'],
    ['image: { entrypoint: [x] }', "jobs:rspec:image name can't be blank"],
    ['services: [[x]]', 'jobs:rspec:services:service config should be a hash or a string'],
    ['variables: [x]', 'jobs:rspec:variables config should be a hash of key value pairs'],
    ['allow_failure: maybe', 'jobs:rspec allow failure should be a boolean value'],
    ['type: 1', 'jobs:rspec:type config should be a string'],
    ['stage: [x]', 'jobs:rspec:stage config should be a string'],
    ['stage: acceptance', 'rspec job: stage parameter should be .pre, build, test, deploy, .post'],
    ['when: 1', 'jobs:rspec when should be one of: on_success, on_failure, always, manual, delayed'],
    ['when: delayed', 'jobs:rspec start in should be a duration'],
    ['when: delayed\nstart_in: soon', 'jobs:rspec start in should be a duration'],
    ['when: delayed\nstart_in: 1 week', 'jobs:rspec start in should not exceed the limit'],
    ['start_in: 1 day', 'jobs:rspec start in must be blank'],
    ['tags: x', 'jobs:rspec tags should be an array of strings'],
    ['timeout: soon', 'jobs:rspec:timeout config should be a duration'],
    ['timeout: 2 months', 'jobs:rspec:timeout config should not exceed the limit'],
    ['parallel: 1', 'jobs:rspec parallel must be greater than or equal to 2'],
    ['parallel: 51', 'jobs:rspec parallel must be less than or equal to 50'],
    ['parallel: x', 'jobs:rspec parallel is not a number'],
    ['retry: 3', 'jobs:rspec:retry config must be less than or equal to 2'],
    ['retry: -1', 'jobs:rspec:retry config must be greater than or equal to 0'],
    ['retry: x', 'jobs:rspec:retry has to be either an integer or a hash'],
    ['retry: { max: 5 }', 'jobs:rspec:retry max must be less than or equal to 2'],
    ['retry: { when: [x, y] }', 'jobs:rspec:retry when contains unknown values: x, y'],
    ['retry: { times: 1 }', 'jobs:rspec:retry config contains unknown keys: times'],
    ['dependencies: x', 'jobs:rspec dependencies should be an array of strings'],
    ['dependencies: [x]', 'rspec job: undefined dependency: x'],
    ['dependencies: [rspec]', 'rspec job: dependency rspec is not defined in prior stages'],
    ['stage: test\nneeds: [x]', 'rspec job: undefined need: x'],
    ['stage: test\nneeds: [rspec]', 'rspec job: need rspec is not defined in prior stages'],
    ['needs: [x]', 'jobs:rspec config missing required keys: stage'],
    ['stage: test\nneeds: [x]\ndependencies: [y]', 'jobs:rspec dependencies the y should be part of needs'],
    ['interruptible: x', 'jobs:rspec:interruptible config should be a boolean value'],
    ['coverage: 12', 'jobs:rspec:coverage config must be a regular expression'],
    ['coverage: /(/', 'jobs:rspec:coverage config must be a regular expression'],
    ['cache: x', 'jobs:rspec:cache config should be a hash'],
    ['cache: { foo: 1 }', 'jobs:rspec:cache config contains unknown keys: foo'],
    [
      'cache: { key: a/b }',
      'jobs:rspec:cache:key config cannot contain the "/" character, or the uri-encoded form "%2F"',
    ],
    ['cache: { key: .. }', 'jobs:rspec:cache:key config cannot be "." or ".."'],
    ['cache: { key: [x] }', 'jobs:rspec:cache:key config should be a string or symbol'],
    ['cache: { policy: x }', 'jobs:rspec:cache policy should be pull-push, push, or pull'],
    ['cache: { untracked: x }', 'jobs:rspec:cache:untracked config should be a boolean value'],
    ['cache: { paths: x }', 'jobs:rspec:cache:paths config should be an array of strings'],
    ['artifacts: x', 'jobs:rspec:artifacts config should be a hash'],
    ['artifacts: { name: 1 }', 'jobs:rspec:artifacts name should be a string'],
    ['artifacts: { when: x }', 'jobs:rspec:artifacts when should be on_success, on_failure or always'],
    ['artifacts: { expire_in: x }', 'jobs:rspec:artifacts expire in should be a duration'],
    ['artifacts: { untracked: x }', 'jobs:rspec:artifacts untracked should be a boolean value'],
    ['artifacts: { paths: x }', 'jobs:rspec:artifacts paths should be an array of strings'],
    ['artifacts: { reports: x }', 'jobs:rspec:artifacts reports should be a hash'],
    ['artifacts: { reports: { x: y } }', 'jobs:rspec:artifacts:reports config contains unknown keys: x'],
    [
      'artifacts: { reports: { junit: 1 } }',
      'jobs:rspec:artifacts:reports junit should be an array of strings or a string',
    ],
    ['environment: 1', 'jobs:rspec:environment config should be a hash or a string'],
    ['environment: { url: x }', "jobs:rspec:environment name can't be blank"],
    ['environment: { name: x, action: y }', 'jobs:rspec:environment action should be start or stop'],
    ['environment: { name: x, on_stop: y }', 'rspec job: on_stop job y is not defined'],
    ['only: branches', 'jobs:rspec:only has to be either an array of conditions or a hash'],
    ['only: [1]', 'jobs:rspec:only config should be an array of strings or regexps'],
    ['only: ["/(/"]', 'jobs:rspec:only config should be an array of strings or regexps'],
    ['except: { foo: x }', 'jobs:rspec:except config contains unknown keys: foo'],
    ['only: { variables: ["$A =="] }', 'jobs:rspec:only variables invalid expression syntax'],
    ['only: { changes: x }', 'jobs:rspec:only changes should be an array of strings'],
    ['rules: x', 'jobs:rspec rules should be an array of hashes'],
    ['rules: [{ if: "$A ==" }]', 'jobs:rspec:rules:rule if invalid expression syntax'],
    ['rules: [{ when: x }]', 'jobs:rspec:rules:rule when unknown value: x'],
    ['rules: [{ foo: x }]', 'jobs:rspec:rules:rule config contains unknown keys: foo'],
    ['rules: [{ when: delayed }]', "jobs:rspec:rules:rule start in can't be blank"],
    ['rules: [{ start_in: 1 hour }]', 'jobs:rspec:rules:rule config contains disallowed keys: start_in'],
    ['rules: []\nonly: [x]', 'jobs:rspec config key may not be used with `rules`: only'],
  ])('of a job, %j: %s', async (more, sentence) => {
    expect(await refusal(job(more))).toBe(sentence);
  });

  it('in the text itself is told with its place', async () => {
    expect(await refusal('a: [x\nb: y')).toMatch(/^\(<unknown>\): .+ at line \d+ column \d+$/);
    expect(await refusal('a: !ruby/object:Foo { script: x }')).toMatch(
      /Unresolved tag.* at line 1 column 4$/,
    );
  });
});

describe('anchors and merge keys', () => {
  it('repeat what they name', async () => {
    const { jobs } = await read(`
.base: &base { script: [x], tags: [a] }
one: { <<: *base, tags: [b] }
two:
  <<: [*base, { tags: [c], image: i }]`);
    expect(jobs).toMatchObject([{ tags: ['b'] }, { tags: ['a'], image: { name: 'i' } }]);
  });

  it('of two keys alike keep the later one', async () => {
    const { jobs } = await read('a: { script: x }\na: { script: y }');
    expect(jobs).toMatchObject([{ name: 'a', script: ['y'] }]);
  });

  it('are read as the older version of the language has it', async () => {
    const { jobs } = await read('a: { script: x, allow_failure: yes, variables: { A: 0o7, B: 12:30 } }');
    expect(jobs[0]).toMatchObject({ allowFailure: true, variables: [{ value: '0o7' }, { value: '12:30' }] });
  });

  it('cannot be used to make a small file large', async () => {
    const lines = Array.from(
      { length: 20 },
      (_, at) => `  - &l${at + 1} [${Array(10).fill(`*l${at}`).join(', ')}]`,
    );
    const text = `a:\n  - &l0 [x]\n${lines.join('\n')}\nb: { script: x }`;
    expect(await refusal(text)).toBe('The parsed YAML is too big');
    expect(await refusal(`a: &a [*a]`)).toBe('The parsed YAML is too big');
    // Deep ones are not even tried: there is no stack for them.
    for (const [open, close] of [
      ['[', ''],
      ['[', ']'],
      ['{a: ', '}'],
      ['- ', ''],
      ['? ', ''],
    ] as const)
      for (const depth of [110, 2_000, 15_000]) {
        const deep = open.repeat(depth) + close.repeat(depth);
        expect(await refusal(open.endsWith(' ') && !close ? deep : `a: ${deep}`)).toBe(
          'The parsed YAML is too big',
        );
      }
    expect(await refusal(`a: "${'x'.repeat(300 * 1024)}"`)).toBe('The file is too large');
    expect(await refusal(`a: [${'x,'.repeat(60_000)}]`)).toBe('The file is too large');
  });

  it.each([
    [' stage: deploy\n script: x\n needs:', '  - z'],
    [' script:', '  - x'],
    [' script: x\n rules:', '  - if: $A'],
    [' script: x\n variables:', '  A%: x'],
  ])('cannot have many jobs share what is long:%s', async (keys, line) => {
    const lines = Array.from({ length: 3_000 }, (_, at) => line.replace('%', String(at)));
    const heirs = Array.from({ length: 1_000 }, (_, at) => `j${at}: { extends: .b, variables: { B: 1 } }`);
    const text = ['.b:', keys, ...lines, ...heirs].join('\n');
    expect(await refusal(text)).toBe('The parsed YAML is too big');
  });

  it('have one job of a name', async () => {
    const { jobs } = await read('a: { script: x, parallel: 2 }\na 1/2: { script: y }');
    expect(jobs.map(({ name, script }) => [name, script])).toEqual([
      ['a 1/2', ['y']],
      ['a 2/2', ['x']],
    ]);
  });

  it('have a number of jobs, parallel ones counted', async () => {
    const many = (keys: string) => Array.from({ length: 1_000 }, (_, at) => `j${at}: { script: x${keys} }`);
    const text = many(', parallel: 3').join('\n');
    expect(await refusal(text)).toBe('jobs config should contain at most 2000 jobs');
    expect((await read(many('').join('\n'))).jobs).toHaveLength(1_000);
  });

  it('hold nothing that cannot be kept as text', async () => {
    for (const hidden of ['"\\0"', '"\\uD800"', '"\0"'])
      expect(await refusal(`a: { script: ${hidden} }`)).toBe('Invalid configuration format');
    expect(await refusal(`stages: [${'s'.repeat(256)}]\na: { script: x }`)).toBe(
      'stages config should have names of at most 255 characters',
    );
    expect(await refusal(`${'j'.repeat(300)}: { script: x }`)).toMatch(/ name is too long/);
    expect(await refusal('" ": { script: x }')).toBe("jobs:job name can't be blank");
    const keys = Array.from({ length: 2_000 }, (_, place) => `key${place}: 1`).join('\n');
    expect((await refusal(keys)).length).toBeLessThan(2_100);
  });

  it('never reach the prototype of anything', async () => {
    const { variables } = await read('variables: { __proto__: x, constructor: y }\na: { script: x }');
    expect(variables).toEqual([
      { key: '__proto__', value: 'x' },
      { key: 'constructor', value: 'y' },
    ]);
  });
});

describe('extends', () => {
  it('merges hashes deeply and takes the rest as it is', async () => {
    const { jobs } = await read(`
.a: { script: a, variables: { X: 1, Y: 1 }, tags: [a] }
.b: { extends: .a, variables: { Y: 2 } }
one: { extends: [.b], variables: { Z: 3 }, tags: [one] }`);
    expect(jobs[0]?.variables).toEqual([
      { key: 'X', value: '1' },
      { key: 'Y', value: '2' },
      { key: 'Z', value: '3' },
    ]);
    expect(jobs[0]).toMatchObject({ script: ['a'], tags: ['one'] });
  });

  it.each([
    ['a: { script: x, extends: none }', 'a: unknown keys in `extends` (none)'],
    ['a: { script: x, extends: 5 }', 'a: unknown keys in `extends` (5)'],
    ['b: { script: x }\na: { script: x, extends: [b, 1.5, [b]] }', 'a: unknown keys in `extends` (1.5, ...)'],
    ['image: x\na: { script: x, extends: image }', 'a: invalid base hashes in `extends` (image)'],
    ['a: { script: x, extends: a }', 'a: circular dependency detected in `extends`'],
    [
      '.a: { extends: .b }\n.b: { extends: .a }\nc: { script: x }',
      '.a: circular dependency detected in `extends`',
    ],
  ])('%j: %s', async (text, sentence) => {
    expect(await refusal(text)).toBe(sentence);
  });

  it('goes ten levels deep and no deeper', async () => {
    const chain = (levels: number): string =>
      `${Array.from({ length: levels }, (_, at) => `.l${at}: { extends: .l${at + 1} }`).join('\n')}
.l${levels}: { script: x }\na: { extends: .l0 }`;
    expect(await refusal(chain(9))).toBe('accepted');
    expect(await refusal(chain(14))).toMatch(/nesting too deep in `extends`$/);
  });
});

describe('include', () => {
  const files = {
    'ci/one.yml': 'include: { local: ci/two.yml }\nimage: one\na: { script: a }',
    'ci/two.yml': 'image: two\na: { script: two, tags: [t] }',
    'ci/bad.yml': 'a: [',
    'ci/empty.yml': ' ',
    'ci/text.txt': 'a: 1',
    'ci/loop.yml': 'include: ci/loop.yml',
  };

  it('merges files of the project, the nearer one winning', async () => {
    const { jobs } = await read('include: /ci/one.yml\na: { tags: [own] }', files);
    expect(jobs[0]).toMatchObject({ script: ['a'], tags: ['own'], image: { name: 'one' } });
  });

  it.each([
    ['include: none.yml', 'Local file `none.yml` does not exist!'],
    ['include: ci/text.txt', 'Included file `ci/text.txt` does not have YAML extension!'],
    ['include: ci/empty.yml', 'Local file `ci/empty.yml` is empty!'],
    ['include: ci/bad.yml', 'Included file `ci/bad.yml` does not have valid YAML syntax!'],
    ['include: [ci/two.yml, ci/two.yml]', 'Include `ci/two.yml` was already included!'],
    ['include: ci/loop.yml', 'Include `ci/loop.yml` was already included!'],
    [
      'include: { project: a/b, file: c.yml }',
      'Include `project, file` is not supported: only `local` files can be included',
    ],
    [
      'include: https://example.com/a.yml',
      'Include `"https://example.com/a.yml"` is not supported: only `local` files can be included',
    ],
  ])('%j: %s', async (text, sentence) => {
    expect(await refusal(text, files)).toBe(sentence);
  });

  it('has nothing to read without a project', async () => {
    await expect(readConfiguration('include: a.yml', null)).rejects.toThrow(
      'Local file `a.yml` does not have project!',
    );
  });
});
