import { readConfiguration } from './configuration';
import { selectJobs, type SelectionFacts } from './job-selection';

const PUSH: SelectionFacts = {
  projectPath: 'group/project',
  ref: 'master',
  kind: 'branch',
  source: 'push',
  variables: new Map([['CI_COMMIT_REF_NAME', 'master']]),
  givenVariables: new Map([['GIVEN', 'given']]),
  changedPaths: ['docs/a.md', 'src/x.ts'],
  paths: ['Dockerfile', 'src/x.ts'],
};
const TAG = { ...PUSH, ref: 'v1', kind: 'tag' } as const;
const API = { ...PUSH, source: 'api' };
const MERGE_REQUEST = {
  ...PUSH,
  ref: 'refs/merge-requests/1/head',
  kind: 'merge_request',
  source: 'merge_request',
} as const;

/** Whether a job with these keys is in such a pipeline. */
async function isChosen(keys: string, facts: SelectionFacts): Promise<boolean> {
  const { jobs } = await readConfiguration(`job: { script: x, ${keys} }`, null);
  return selectJobs(jobs, facts).length === 1;
}

describe('only and except', () => {
  it.each<[string, SelectionFacts, boolean]>([
    ['', PUSH, true],
    ['', TAG, true],
    ['', MERGE_REQUEST, false],
    ['only: [branches]', TAG, false],
    ['only: [tags]', TAG, true],
    ['only: [master]', PUSH, true],
    ['only: [develop]', PUSH, false],
    ['only: ["/^mas/"]', PUSH, true],
    ['only: ["/^MAS/i"]', PUSH, true],
    ['only: ["/^MAS/"]', PUSH, false],
    ['only: [pushes]', PUSH, true],
    ['only: [push]', PUSH, true],
    ['only: [api]', PUSH, false],
    ['only: [api]', API, true],
    ['only: [web]', { ...PUSH, source: 'web' }, true],
    ['only: [external]', { ...PUSH, source: 'external' }, true],
    // What the reference knows and nothing here ever is made by.
    ['only: [schedules, triggers, pipelines, chat, external_pull_requests]', PUSH, false],
    ['except: [schedules, triggers, pipelines, chat, external_pull_requests]', PUSH, true],
    ['only: ["tags@group/project", "/^mas/@group/project"]', PUSH, true],
    ['only: ["/^mas/@other/project"]', PUSH, false],
    ['only: ["pushes@other/project"]', PUSH, false],
    ['only: ["/^MAS.*R$/i"]', PUSH, true],
    ['only: ["/s.*t/U"]', PUSH, true],
    ['only: ["/mas"]', PUSH, false],
    ['only: []', PUSH, false],
    ['only: [merge_requests]', MERGE_REQUEST, true],
    ['only: [merge_requests], except: [branches]', MERGE_REQUEST, true],
    ['only: [merge_requests]', PUSH, false],
    ['only: ["/.*/"]', MERGE_REQUEST, false],
    ['only: ["master@group/project"]', PUSH, true],
    ['only: ["master@other/project"]', PUSH, false],
    ['only: ["branches@group/project"]', PUSH, true],
    ['except: [master]', PUSH, false],
    ['except: [tags]', PUSH, true],
    ['only: [master], except: [pushes]', PUSH, false],
    ['only: { variables: ["$CI_COMMIT_REF_NAME == \'master\'"] }', PUSH, true],
    ['only: { variables: ["$NO", "$CI_COMMIT_REF_NAME"] }', PUSH, true],
    ['only: { variables: ["$NO"] }', PUSH, false],
    ['only: { variables: ["$OWN"] }, variables: { OWN: 1 }', PUSH, true],
    ['only: { variables: ["$OWN == \'1\'"] }, variables: { OWN: 1 }', PUSH, true],
    ['only: { variables: ["$GIVEN == \'given\'"] }, variables: { GIVEN: own }', PUSH, true],
    ['only: { variables: ["$CI_JOB_NAME == \'job\'"] }', PUSH, true],
    ["only: { variables: [\"$CI_JOB_STAGE == 'test' && $CI_NODE_TOTAL == '1'\"] }", PUSH, true],
    ['only: { variables: ["$CI_NODE_INDEX"] }', PUSH, false],
    ['only: { variables: ["$CI_JOB_NAME == \'own\'"] }, variables: { CI_JOB_NAME: own }', PUSH, true],
    ['only: { refs: [master], variables: ["$NO"] }', PUSH, false],
    ['only: { changes: ["docs/*"] }', PUSH, true],
    ['only: { changes: ["lib/**/*"] }', PUSH, false],
    ['only: { changes: ["lib/**/*"] }', { ...PUSH, changedPaths: null }, true],
    ['only: { kubernetes: active }', PUSH, false],
    ['except: { changes: ["docs/*"] }', PUSH, false],
    ['except: { refs: [tags], variables: ["$NO"] }', PUSH, true],
    ['except: { kubernetes: active }', PUSH, true],
  ])('%s', async (keys, facts, expected) => {
    expect(await isChosen(keys, facts)).toBe(expected);
  });
});

describe('rules', () => {
  it.each<[string, SelectionFacts, boolean]>([
    ['rules: []', PUSH, false],
    ['rules: [{ when: always }]', MERGE_REQUEST, true],
    ['rules: [{ when: never }, { when: always }]', PUSH, false],
    ['rules: [{ if: "$NO" }]', PUSH, false],
    ['rules: [{ if: "$NO", when: never }, { when: on_success }]', PUSH, true],
    ['rules: [{ if: "$CI_COMMIT_REF_NAME == \'master\'", changes: ["src/**/*"] }]', PUSH, true],
    ['rules: [{ if: "$CI_COMMIT_REF_NAME == \'master\'", changes: ["lib/*"] }]', PUSH, false],
    ['rules: [{ exists: [Dockerfile] }]', PUSH, true],
    ['rules: [{ exists: ["*.lock"] }]', PUSH, false],
    ['rules: [{ exists: ["*.lock"] }]', { ...PUSH, paths: null }, true],
  ])('%s', async (keys, facts, expected) => {
    expect(await isChosen(keys, facts)).toBe(expected);
  });

  it('say when the job runs', async () => {
    const { jobs } = await readConfiguration(
      'a: { script: x, rules: [{ if: "$CI_COMMIT_REF_NAME", when: delayed, start_in: 1 hour }] }\n' +
        'b: { script: x, rules: [{ when: manual }] }',
      null,
    );
    expect(selectJobs(jobs, PUSH)).toMatchObject([
      { when: 'delayed', startInSeconds: 3600 },
      { when: 'manual', startInSeconds: null, job: { allowFailure: false } },
    ]);
  });
});
