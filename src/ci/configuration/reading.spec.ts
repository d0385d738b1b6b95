import { ThreadError, ThreadPool, type ThreadProblem } from '#libs/threads';
import { ConfigurationReading } from './configuration-reading.service';
import {
  answerTo,
  packedPaths,
  type ReadingQuestion,
  type ReadingReply,
  type ReadingTarget,
} from './reading';

const TARGET: ReadingTarget = {
  projectPath: 'group/project',
  ref: 'master',
  kind: 'branch',
  source: 'push',
  known: [['A', 'known']],
  given: [['B', 'given']],
};

const nothing = (): Promise<ReadingReply> => Promise.resolve(null);

/** The names of the jobs that are chosen. */
async function chosen(
  text: string,
  reply: (question: ReadingQuestion) => Promise<ReadingReply> = nothing,
): Promise<string[]> {
  const answer = await answerTo({ text, target: TARGET }, reply);
  if ('problem' in answer) throw new Error(answer.problem);
  const jobs: { name: string }[] = JSON.parse(answer.json);
  expect(answer.count).toBe(jobs.length);
  return jobs.map(({ name }) => name);
}

describe('reading a configuration', () => {
  it('asks for the files that it includes', async () => {
    const files: Record<string, string> = { 'a.yml': 'include: b.yml', 'b.yml': 'one: { script: x }' };
    const reply = (question: ReadingQuestion): Promise<ReadingReply> =>
      Promise.resolve(question.is === 'file' ? (files[question.path] ?? null) : null);
    expect(await chosen('include: a.yml', reply)).toEqual(['one']);
    expect(await answerTo({ text: 'include: c.yml', target: TARGET }, reply)).toEqual({
      problem: 'Local file `c.yml` does not exist!',
    });
  });

  it('asks for paths only where a job does, and knows none from nobody knows', async () => {
    const asked: string[] = [];
    const text = `
one: { script: x, only: { changes: ["src/*"] } }
two: { script: x, rules: [{ exists: ["*.md"] }] }`;
    const say = (changed: string[] | null, all: string[] | null) => (question: ReadingQuestion) => {
      asked.push(question.is);
      return Promise.resolve(packedPaths(question.is === 'changed_paths' ? changed : all));
    };
    expect(await chosen(text, say(['src/a\nb'], ['x.md', 'y']))).toEqual(['one', 'two']);
    expect(await chosen(text, say(['other'], ['README']))).toEqual([]);
    expect(await chosen(text, say([], []))).toEqual([]);
    expect(await chosen(text, say(null, null))).toEqual(['one', 'two']);
    expect(asked).toEqual(Array(4).fill(['changed_paths', 'paths']).flat());
    await chosen('one: { script: x }', say([], []));
    expect(asked).toHaveLength(8);
  });

  it('has variables of the configuration win over known ones, and given ones over all', async () => {
    const when = (name: string, value: string): string =>
      `${name}${value}: { script: x, only: { variables: ['$${name} == "${value}"'] } }\n`;
    const text = `variables: { A: own, B: own }\n${when('A', 'own')}${when('B', 'given')}${when('B', 'own')}`;
    expect(await chosen(text)).toEqual(['Aown', 'Bgiven']);
    expect(await chosen(when('A', 'known'))).toEqual(['Aknown']);
    expect(await chosen('.base: { variables: { B: own } }\n' + when('B', 'given'))).toEqual(['Bgiven']);
  });

  it('chooses nothing where there is no project', async () => {
    const text = 'one: { script: x, only: { variables: ["$A =~ $B"] } }';
    expect(await answerTo({ text, target: null }, nothing)).toEqual({ count: 0, json: '[]' });
  });
});

describe('threads that read configurations', () => {
  const reading = new ConfigurationReading();
  afterAll(() => reading.onApplicationShutdown());

  it('answer as reading here does, mistakes too', async () => {
    for (const text of ['one: { script: x }', 'one: { script: [] }', `one: ${'['.repeat(9_000)}`]) {
      const order = { text, target: TARGET };
      expect(await reading.read(order, 'me', nothing)).toEqual(await answerTo(order, nothing));
    }
  });

  it('give the mistake of a file that took too much, and tell whoever comes when too many wait', async () => {
    const meet = async (problem: ThreadProblem): Promise<unknown> => {
      const run = jest.spyOn(ThreadPool.prototype, 'run');
      run.mockRejectedValueOnce(new ThreadError(problem, 'a reason'));
      return reading.read({ text: '', target: null }, 'me', nothing).finally(() => run.mockRestore());
    };
    expect(await meet('time')).toEqual({ problem: 'The configuration takes too long to be looked at' });
    expect(await meet('memory')).toEqual({ problem: 'The parsed YAML is too big' });
    await expect(meet('busy')).rejects.toMatchObject({ detail: { kind: 'unavailable' } });
    await expect(meet('broken')).rejects.toMatchObject({ problem: 'broken' });
  });
});
