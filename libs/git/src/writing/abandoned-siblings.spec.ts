import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { siblingOf, sweepAbandonedSiblings } from './abandoned-siblings';

const HOUR_S = 3600;
const signal = new AbortController().signal;

describe('what stands beside repositories', () => {
  let storage: string;
  beforeEach(() => (storage = mkdtempSync(path.join(tmpdir(), 'siblings-'))));
  afterEach(() => rmSync(storage, { recursive: true }));

  /** A folder last touched so many hours ago, with something in it. */
  function folder(name: string, hoursAgo: number): string {
    const made = path.join(storage, name);
    mkdirSync(path.join(made, 'objects'), { recursive: true });
    const time = Date.now() / 1000 - hoursAgo * HOUR_S;
    utimesSync(made, time, time);
    return made;
  }
  const sibling = (name: string, purpose: 'new' | 'removed', hoursAgo: number): string =>
    folder(path.relative(storage, siblingOf(path.join(storage, name), purpose)), hoursAgo);

  it('is removed when nobody has touched it for a day', async () => {
    const old = [sibling('@hashed/ab/cd/one.git', 'new', 25), sibling('two.git', 'removed', 25)];
    expect(await sweepAbandonedSiblings(storage, signal)).toBe(2);
    expect(old.filter((name) => existsSync(name))).toEqual([]);
  });

  it('stays while it may be in use, and so do repositories, whatever they contain', async () => {
    const kept = [
      sibling('@hashed/ab/cd/one.git', 'new', 23),
      folder('@hashed/ab/cd/two.git', 1000),
      folder(`@hashed/ab/cd/two.git/${path.basename(siblingOf('three.git', 'new'))}`, 1000),
      folder('.snapshots', 1000),
      folder('.one.git.new-x', 1000),
    ];
    expect(await sweepAbandonedSiblings(storage, signal)).toBe(0);
    expect(kept.filter((name) => !existsSync(name))).toEqual([]);
  });

  it('is looked for until the signal says stop, and where no storage is yet', async () => {
    await expect(sweepAbandonedSiblings(storage, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(await sweepAbandonedSiblings(path.join(storage, 'none'), signal)).toBe(0);
  });
});
