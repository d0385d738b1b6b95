import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { divergingBranches, until, type FixtureEntry, type PlainFile, type PlainTree } from '#libs/testing';
import { useApplication } from '../support/application';
import { git } from '../support/git-client';
import { MergingScene } from '../support/merging-scene';

const app = useApplication();

/** Give a failing run's seed to see it fail again. */
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const PAIRS = divergingBranches(seed, 4);

type Way = 'merge' | 'squash' | 'rebase';

let at: MergingScene;
let folder: string;
let work: string;

/** Branches `ours-0`, `theirs-0` and so on in the project, and a work tree of them all. */
beforeAll(async () => {
  at = await MergingScene.set(app.current);
  for (const [index, pair] of PAIRS.entries()) {
    await grow(`base-${index}`, at.project.tip, [pair.base]);
    await grow(`ours-${index}`, await at.tip(`base-${index}`), pair.ours);
    await grow(`theirs-${index}`, await at.tip(`base-${index}`), pair.theirs);
  }
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'differential-merge-'));
  work = path.join(folder, 'work');
  await git(folder, 'clone', '-q', '--no-checkout', at.project.repositoryPath, work);
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

async function grow(branch: string, from: string, trees: readonly PlainTree[]): Promise<void> {
  let [parent, before] = [from, new Set(['f'])];
  for (const tree of trees) {
    const entries = [...tree].map(([name, file]) => [name, entryOf(file)] as const);
    const gone = [...before].filter((name) => !tree.has(name)).map((name) => [name, null] as const);
    const files: Record<string, FixtureEntry> = Object.fromEntries([...gone, ...entries]);
    parent = await at.git.commit({ branch, parents: [parent], files, message: `of ${branch}` });
    before = new Set(tree.keys());
  }
}

const entryOf = ({ mode, content }: PlainFile): FixtureEntry =>
  mode === '120000' ? { link: content } : { mode, content };

/** What git makes of it in a work tree: trees of the commits on top of the target, oldest first; null for a conflict. */
async function gits(way: Way, ours: string, theirs: string): Promise<string | null> {
  const start = way === 'rebase' ? theirs : ours;
  await git(work, 'checkout', '-q', '-f', '--detach', `origin/${start}`);
  await git(work, 'clean', '-qffdx');
  try {
    if (way === 'rebase') {
      await git(work, 'rebase', '-q', `origin/${ours}`);
      return (await git(work, 'log', '--reverse', '--format=%T %an %B', `origin/${ours}..HEAD`)).trimEnd();
    }
    const how = way === 'merge' ? ['--no-ff', '-m', 'joined'] : ['--squash'];
    await git(work, 'merge', '-q', ...how, `origin/${theirs}`);
    return (await git(work, ...(way === 'merge' ? ['rev-parse', 'HEAD^{tree}'] : ['write-tree']))).trimEnd();
  } catch {
    return null;
  } finally {
    if (way !== 'squash') await git(work, way, '--abort').catch(() => '');
  }
}

/** The same by the service, upon branches of their own. */
async function ourss(way: Way, ours: string, theirs: string): Promise<string | null> {
  const [into, topic] = [`${way}-${ours}-${theirs}-into`, `${way}-${ours}-${theirs}`];
  await at.git.git('branch', into, ours);
  await at.git.git('branch', topic, theirs);
  const proposal = await at.propose({ source: topic, target: into });
  if (way === 'rebase') {
    await app.current.as(at.maintainer).put(`${proposal.url}/rebase`).expect(202);
    await until(async () => (await at.row(proposal))['rebase_in_progress_since'] === null);
    if ((await at.row(proposal))['merge_error'] !== null) return null;
    return (await at.git.git('log', '--reverse', '--format=%T %an %B', `${into}..${topic}`)).trimEnd();
  }
  const { status } = await at.merge(at.maintainer, proposal, { squash: way === 'squash' });
  if (status === 406) return null;
  if (status !== 200 && status !== 405) throw new Error(`the merge was answered by ${status}`);
  return at.git.git('rev-parse', `${into}^{tree}`);
}

describe.each(['merge', 'squash', 'rebase'] as const)(`%s of random branches (SEED=${seed})`, (way) => {
  it.each([...PAIRS.keys()])('makes of pair %s what git makes of it', async (index) => {
    const [ours, theirs] = [`ours-${index}`, `theirs-${index}`];
    expect(await ourss(way, ours, theirs)).toBe(await gits(way, ours, theirs));
  });
});
