import type { JobDefinition } from '../configuration/job-definition';
import { depthOf, refspecsOf, stepsOf, uploadsOf } from './job-payload';

const definition = (parts: Partial<JobDefinition>): JobDefinition => ({
  beforeScript: [],
  script: ['make'],
  afterScript: [],
  image: null,
  services: [],
  variables: [],
  artifacts: null,
  cache: null,
  dependencies: null,
  environment: null,
  interruptible: false,
  retryMax: 0,
  retryWhen: ['always'],
  parallel: null,
  startInSeconds: null,
  ...parts,
});

describe('what a runner is told of a job', () => {
  const branch = { ref: 'topic', tag: false };

  it.each([
    [branch, 20, ['+refs/heads/topic:refs/remotes/origin/topic']],
    [{ ref: 'v1', tag: true }, 20, ['+refs/tags/v1:refs/tags/v1']],
    [branch, 0, ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*']],
    [
      { ref: 'refs/merge-requests/1/head', tag: false },
      20,
      ['+refs/merge-requests/1/head:refs/merge-requests/1/head'],
    ],
    [
      { ref: 'refs/merge-requests/1/head', tag: false },
      0,
      [
        '+refs/merge-requests/1/head:refs/merge-requests/1/head',
        '+refs/heads/*:refs/remotes/origin/*',
        '+refs/tags/*:refs/tags/*',
      ],
    ],
  ])('names what to fetch of %j at depth %i', (pipeline, depth, refspecs) => {
    expect(refspecsOf(pipeline, depth)).toEqual(refspecs);
  });

  it.each([
    ['50', 20, 50],
    ['0', 20, 0],
    [undefined, 20, 20],
    [undefined, null, 0],
    ['many', 20, 20],
    ['-1', null, 0],
    ['1.5', 3, 3],
  ])('with GIT_DEPTH %j and %j of the project has depth %i', (value, ciDefaultGitDepth, depth) => {
    const project = Object.assign(Object.create(null), { ciDefaultGitDepth });
    const plain = { public: true, masked: false, file: false };
    const variables = value === undefined ? [] : [{ key: 'GIT_DEPTH', value, ...plain }];
    expect(depthOf(variables, project)).toBe(depth);
  });

  it('runs what comes before in the same shell, and what comes after whatever happens', () => {
    const steps = stepsOf(definition({ beforeScript: ['a'], script: ['b'], afterScript: ['c'] }), 60);
    expect(steps.map(({ name, script, when, allow_failure: may }) => [name, script, when, may])).toEqual([
      ['script', ['a', 'b'], 'on_success', false],
      ['after_script', ['c'], 'always', true],
    ]);
    expect(stepsOf(definition({}), 60)).toHaveLength(1);
  });

  it('uploads an archive where there is something to pack, and reports beside it', () => {
    expect(uploadsOf(definition({}))).toEqual([]);
    expect(uploadsOf(definition({ artifacts: { when: 'always' } }))).toEqual([]);
    expect(uploadsOf(definition({ artifacts: { untracked: true } }))).toEqual([
      { untracked: true, paths: [], artifact_type: 'archive', artifact_format: 'zip' },
    ]);
    const reports = { sast: ['gl.json'], unknown: ['x'] };
    expect(uploadsOf(definition({ artifacts: { reports, expireIn: '1 day' } }))).toEqual([
      {
        name: 'gl-sast-report.json',
        untracked: false,
        paths: ['gl.json'],
        when: 'always',
        expire_in: '1 day',
        artifact_type: 'sast',
        artifact_format: 'raw',
      },
    ]);
  });
});
