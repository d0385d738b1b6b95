import { GitFixture } from '#libs/testing';
import type { TestApplication } from './application';
import type { BuiltProject } from './builders';

/** What the submodule of the sample names. */
export const SUBMODULE = 'c'.repeat(40);

/** The titles of master's commits, newest first. */
export const NEWEST_FIRST = [
  "Merge 'topic/a'",
  'Side',
  'Change 5',
  'Change 4',
  'Change 3',
  'Change 2',
  'Change 1',
  'Change 0',
];

/** A public project whose commits have everything that a commit can have. */
export interface SampleHistory {
  readonly project: BuiltProject;
  readonly git: GitFixture;
  /** Changes 0 to 5 of master. */
  readonly shas: readonly string[];
  /** The tip of `topic/a`. */
  readonly side: string;
  /** The tip of master. */
  readonly merge: string;
}

/** Unix seconds of a minute of 1 January 2020. */
export const at = (minute: number): number => Date.UTC(2020, 0, 1, 0, minute) / 1000;

/** master: 0 — 1 — … — 5 — merge; `topic/a` leaves at 2; the tag `v1` is at 1, `light` at 2. */
export async function sampleHistory(app: TestApplication): Promise<SampleHistory> {
  const project = await app.build.project({ visibility: 'public' });
  const git = GitFixture.on(project.repositoryPath);
  const shas: string[] = [];
  const commit = async (change: Parameters<GitFixture['commit']>[0]) => {
    const index = shas.length;
    const message = `Change ${index}\n\nBody ${index}\n`;
    shas.push(await git.commit({ branch: 'master', time: at(index), message, ...change }));
  };
  await commit({
    parents: [],
    files: { 'README.md': 'one\n', 'src/a.c': 'a\n', 'src/b.c': 'b\n', 'bin.dat': Buffer.from([0, 1]) },
  });
  await commit({ files: { 'src/a.c': 'a\nb\n' } });
  await commit({ files: { 'README.md': 'two\n' }, author: 'Bob Other', email: 'bob@example.com' });
  await commit({ files: { 'src/moved.c': { renamedFrom: 'src/b.c' }, 'bin.dat': Buffer.from([0, 2]) } });
  await commit({
    files: {
      tool: { content: 'x\n', mode: '100755' },
      module: { submodule: SUBMODULE },
      link: { link: 'src' },
    },
  });
  await commit({
    files: { tool: { content: 'x\n', mode: '100644' }, 'ünï cödé.txt': 'x\n', 'README.md': null },
  });
  const files = { side: 's\n' };
  const side = await git.commit({
    branch: 'topic/a',
    parents: [shas[2] ?? ''],
    time: at(10),
    files,
    message: 'Side',
  });
  const merge = await git.merge([side], {
    branch: 'master',
    time: at(20),
    files,
    message: "Merge 'topic/a'",
  });
  await git.tag('v1', shas[1] ?? '', 'first release');
  await git.tag('light', shas[2] ?? '');
  await app.database.query(`UPDATE projects SET default_branch = 'master' WHERE id = $1`, [project.id]);
  return { project, git, shas, side, merge };
}
