import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { ZERO_SHA, type Sha } from '../git';
import { startDiskThread } from './disk-thread-start';
import { DiskThreads } from './disk-threads';
import { newObject, type NewObject } from './object-format';
import { ScratchRepository } from './scratch-repository.fixture';
import { TimeSlices } from './time-slices';

let repository: ScratchRepository;
let first: Sha;
let second: Sha;

beforeAll(async () => {
  repository = await ScratchRepository.create();
  first = repository.commitByGit([['100644', 'f', '1']]);
  second = repository.commitByGit([['100644', 'f', '2']], [first]);
});
afterAll(() => repository.close());

const objectsDirectory = () => path.join(repository.path, 'objects');
const refFile = (name: string) => path.join(repository.path, 'refs/heads', name);
const blob = (content: string | Buffer) => newObject('blob', Buffer.from(content), new TimeSlices());
const leftovers = () =>
  readdirSync(repository.path, { recursive: true }).filter((name) => /tmp_|\.lock$/.test(String(name)));

function expectReadable(objects: readonly NewObject[]): void {
  for (const { sha, type, body } of objects) {
    expect(repository.gitBytes(['cat-file', type, sha]).equals(body)).toBe(true);
  }
}

describe('objects written by a disk thread', () => {
  it('are read by git, whatever their size, and leave no temporary file', async () => {
    const sizes = [0, 1, 100, 511, 512, 513, 4_096, 32_768, 65_537, 400_000];
    const objects = await Promise.all(sizes.map((size) => blob(Buffer.alloc(size, `${size}, `))));
    const tree = await newObject('tree', Buffer.alloc(0), new TimeSlices());
    await repository.disk.store(objectsDirectory(), [...objects, tree]);
    await repository.disk.store(objectsDirectory(), objects);
    expectReadable([...objects, tree]);
    expect(leftovers()).toEqual([]);
    expect(repository.complaints()).toBe('');
  });

  it('come back into a folder that packing has removed', async () => {
    const object = await blob('again');
    const folder = path.join(objectsDirectory(), object.sha.slice(0, 2));
    await repository.disk.store(objectsDirectory(), [object]);
    rmSync(folder, { recursive: true });
    await repository.disk.store(objectsDirectory(), [object]);
    expectReadable([object]);
  });

  it('are written for many commits at once', async () => {
    const commits = await Promise.all(
      Array.from({ length: 40 }, (_, i) => Promise.all([blob(`a${i}`), blob(`b${i}`)])),
    );
    await Promise.all(commits.map((objects) => repository.disk.store(objectsDirectory(), objects)));
    expectReadable(commits.flat());
  });

  it('fail when the repository is gone, and the thread goes on', async () => {
    const object = await blob('x');
    const gone = path.join(repository.folder, 'gone', 'objects');
    await expect(repository.disk.store(gone, [object])).rejects.toMatchObject({ code: 'ENOENT' });
    await repository.disk.store(objectsDirectory(), [object]);
    expectReadable([object]);
  });

  it('are left to others when they are large', async () => {
    expect(
      repository.disk.takes([await blob(Buffer.alloc(600_000)), await blob(Buffer.alloc(600_000))]),
    ).toBe(false);
  });
});

describe('a branch moved by a disk thread', () => {
  const move = (name: string, from: Sha, to: Sha) => repository.disk.move(refFile(name), from, to);
  const create = (name: string, sha: Sha) => repository.git(['update-ref', `refs/heads/${name}`, sha]);

  it('is where git looks for it', async () => {
    create('plain', first);
    expect(await move('plain', first, second)).toBe(true);
    expect(repository.git(['rev-parse', 'refs/heads/plain'])).toBe(second);
    expect(leftovers()).toEqual([]);
  });

  it('moves once, however many ask', async () => {
    create('race', first);
    const asked = await Promise.all(Array.from({ length: 12 }, () => move('race', first, second)));
    expect(asked.filter(Boolean)).toHaveLength(1);
    expect(repository.git(['rev-parse', 'refs/heads/race'])).toBe(second);
    expect(leftovers()).toEqual([]);
  });

  it('stays, for git to judge, where it is elsewhere, packed, missing, symbolic or a link', async () => {
    create('elsewhere', second);
    create('packed', first);
    repository.git(['pack-refs', '--all']);
    create('elsewhere', first);
    create('elsewhere', second);
    repository.git(['symbolic-ref', 'refs/heads/symbolic', 'refs/heads/elsewhere']);
    symlinkSync('elsewhere', refFile('link'));
    for (const name of ['elsewhere', 'packed', 'missing', 'no/folder', 'symbolic', 'link']) {
      expect([name, await move(name, first, second)]).toEqual([name, false]);
    }
    expect(repository.git(['rev-parse', 'refs/heads/packed'])).toBe(first);
    expect(leftovers()).toEqual([]);
    rmSync(refFile('link'));
    rmSync(refFile('symbolic'));
  });

  it('stays while another writer has its lock, which is left alone', async () => {
    create('locked', first);
    writeFileSync(`${refFile('locked')}.lock`, 'theirs');
    expect(await move('locked', first, second)).toBe(false);
    expect(readFileSync(`${refFile('locked')}.lock`, 'utf8')).toBe('theirs');
    expect(leftovers()).toEqual(['refs/heads/locked.lock']);
    rmSync(`${refFile('locked')}.lock`);
  });

  it('never begins nor ends here', async () => {
    expect(await move('new', ZERO_SHA, first)).toBe(false);
  });
});

describe('disk threads', () => {
  it('take no orders once they have ended', async () => {
    const threads = new DiskThreads();
    await threads.store(objectsDirectory(), [await blob('last')]);
    await threads.close();
    await expect(threads.move(refFile('plain'), first, second)).rejects.toThrow('have ended');
  });

  it('have their successors take over when they die', async () => {
    const started: Worker[] = [];
    const threads = new DiskThreads(async () => {
      const worker = await startDiskThread();
      if (started.push(worker) === 1) void worker.terminate();
      return worker;
    });
    await expect(threads.store(objectsDirectory(), [await blob('y')])).rejects.toThrow('has died');
    const object = await blob('z');
    await threads.store(objectsDirectory(), [object]);
    expectReadable([object]);
    expect(started).toHaveLength(2);
    await threads.close();
  });
});
