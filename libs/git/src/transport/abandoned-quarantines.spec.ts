import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepAbandonedQuarantines } from './abandoned-quarantines';

describe('sweeping abandoned quarantines', () => {
  it('removes old ones and leaves young ones and everything else', async () => {
    const path = await mkdtemp(join(tmpdir(), 'git-sweep-'));
    const objects = join(path, 'objects');
    const longAgo = new Date(Date.now() - 48 * 60 * 60_000);
    for (const name of [
      'tmp_objdir-incoming-aB3dE6',
      'incoming-aB3dE6',
      'tmp_objdir-incoming-young1',
      'pack',
      '00',
    ]) {
      await mkdir(join(objects, name, 'pack'), { recursive: true });
      await writeFile(join(objects, name, 'pack', 'tmp_pack_x'), 'half');
      if (!name.endsWith('young1')) await utimes(join(objects, name), longAgo, longAgo);
    }
    expect(await sweepAbandonedQuarantines({ path })).toBe(2);
    expect((await readdir(objects)).sort()).toEqual(['00', 'pack', 'tmp_objdir-incoming-young1']);
    await rm(path, { recursive: true });
  });
});
