import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { actingAs, requireUser } from '../../../src/cli/acting-user';
import { RepositoryImport } from '../../../src/repository/repository.api';
import { useApplication } from '../../support/application';

const app = useApplication();

let source: string;
beforeAll(async () => {
  source = await fs.mkdtemp(path.join(os.tmpdir(), 'to-import-'));
  git('init', '--quiet', '--bare', '--initial-branch', 'main', '.');
});
afterAll(() => fs.rm(source, { recursive: true, force: true }));

const PERSON = ['-c', 'user.name=Old', '-c', 'user.email=old@example.com'];

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: source, encoding: 'utf8' }).trim();
const made = (input: string, ...args: string[]): string =>
  execFileSync('git', [...PERSON, ...args], { cwd: source, encoding: 'utf8', input }).trim();

describe('importing a repository', () => {
  it('refuses objects that no push could bring, and leaves no project behind', async () => {
    const blob = made('x', 'hash-object', '-w', '--stdin');
    const inner = made(`100644 blob ${blob}\tconfig\n`, 'mktree');
    const tree = made(`040000 tree ${inner}\t.git\n`, 'mktree');
    git('update-ref', 'refs/heads/main', made('hostile', 'commit-tree', tree));

    const owner = await app.current.build.user();
    const actor = actingAs(await requireUser(app.current.nest, owner.username));
    const run = () =>
      app.current.nest.get(RepositoryImport).run(actor, {
        source,
        namespace: owner.username,
        name: 'Old work',
        visibility: 'private',
      });
    await expect(run()).rejects.toMatchObject({
      detail: { kind: 'bad_request', message: expect.stringContaining('hasDotgit') },
    });
    const imported = () =>
      app.current.as(owner).get(`/projects/${encodeURIComponent(`${owner.username}/old-work`)}`);
    expect((await imported()).status).toBe(404);

    const mended = made(`100644 blob ${blob}\tconfig\n`, 'mktree');
    git('update-ref', 'refs/heads/main', made('mended', 'commit-tree', mended));
    const project = await run();
    expect((await imported()).body).toMatchObject({ id: project.id, default_branch: 'main' });
  });
});
