import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { revisionOf } from './revision';

const SHA = '0123456789abcdef0123456789abcdef01234567';

describe('the revision of a checkout', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'revision-'));
    await mkdir(path.join(folder, '.git', 'refs', 'heads'), { recursive: true });
    await mkdir(path.join(folder, 'dist', 'src'), { recursive: true });
  });

  afterEach(() => rm(folder, { recursive: true }));

  const write = (file: string, text: string): Promise<void> =>
    writeFile(path.join(folder, '.git', file), text);
  const revision = (): Promise<string> => revisionOf(path.join(folder, 'dist', 'src'));

  it('is the commit of the branch', async () => {
    await write('HEAD', 'ref: refs/heads/main\n');
    await write('refs/heads/main', `${SHA}\n`);
    expect(await revision()).toBe('01234567');
  });

  it('is found among packed refs', async () => {
    await write('HEAD', 'ref: refs/heads/main\n');
    await write('packed-refs', `# pack-refs\n${'f'.repeat(40)} refs/heads/other\n${SHA} refs/heads/main\n`);
    expect(await revision()).toBe('01234567');
  });

  it('is a detached commit', async () => {
    await write('HEAD', `${SHA}\n`);
    expect(await revision()).toBe('01234567');
  });

  it('is unknown before the first commit', async () => {
    await write('HEAD', 'ref: refs/heads/main\n');
    expect(await revision()).toBe('unknown');
  });
});
