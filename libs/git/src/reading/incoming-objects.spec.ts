import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitFixture } from '../../../testing/src/git/git-fixture';
import { isSoonGone } from '../../../testing/src/git/process-list';
import type { GitRepository } from '../git';
import { GitEngine } from '../git-engine';
import type { ObjectDirectories, RepositoryContext } from '../repository-context';

/** Gives a test the context that the engine gives to its own parts. */
class OpenEngine extends GitEngine {
  contextOf(fixture: GitFixture): RepositoryContext {
    return this.context({ path: fixture.path });
  }
}

describe('a reader of objects in quarantine', () => {
  let fixture: GitFixture;
  let engine: OpenEngine;
  let repository: GitRepository;
  let quarantine: string;
  let env: ObjectDirectories;
  let tip: string;

  beforeAll(async () => {
    fixture = await GitFixture.create();
    tip = await fixture.commit({ files: { 'a.txt': 'old\n' } });
    quarantine = await mkdtemp(join(tmpdir(), 'quarantine-'));
    env = {
      GIT_OBJECT_DIRECTORY: quarantine,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(fixture.path, 'objects'),
    };
    engine = new OpenEngine();
    repository = engine.open({ path: fixture.path });
  });
  afterAll(async () => {
    await engine.close();
    await fixture.remove();
    await rm(quarantine, { recursive: true, force: true });
  });

  it('sees them in every way of reading, and nobody else does', async () => {
    const context = engine.contextOf(fixture);
    const reader = context.reader(env);
    const tree = await writeTree();
    const commit = `tree ${tree}\nparent ${tip}\nauthor A <a@x> 1600000000 +0000\ncommitter A <a@x> 1600000000 +0000\n\nincoming\n`;
    const sha = await write('commit', commit);

    expect(await reader.resolve(sha)).toBe(sha);
    expect((await reader.diff(sha)).map(({ text }) => text)).toEqual(['@@ -1 +1 @@\n-old\n+new\n']);
    expect(
      (await reader.log({ from: sha, not: tip, skip: 0, limit: 10 })).map(({ message }) => message),
    ).toEqual(['incoming\n']);
    expect(await reader.isAncestor(tip, sha)).toBe(true);
    expect(await reader.lastCommit(sha, 'a.txt')).toBe(sha);
    expect(await repository.resolve(sha)).toBeNull();
    expect(await repository.commit(sha)).toBeNull();
    reader.close();
    await expect(reader.resolve(sha)).rejects.toThrow();
    expect(await repository.resolve('main')).toBe(tip);
  });

  it('leaves no process behind', async () => {
    await engine.close();
    expect(await isSoonGone(`--git-dir=${fixture.path} `)).toBe(true);
  });

  async function writeTree(): Promise<string> {
    const entry = Buffer.concat([
      Buffer.from('100644 a.txt\0'),
      Buffer.from(await write('blob', 'new\n'), 'hex'),
    ]);
    return write('tree', entry);
  }

  async function write(type: string, content: string | Buffer): Promise<string> {
    const args = ['hash-object', '-w', '-t', type, '--stdin'];
    return (await fixture.gitBytes(args, content, env)).toString().trim();
  }
});
