import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { FileAction } from '../git';
import { writeLooseObjects } from './loose-object';
import { newObject, type NewObject } from './object-format';
import { storePack } from './object-store';
import { ALICE, ScratchRepository } from './scratch-repository.fixture';
import { TimeSlices } from './time-slices';

let repository: ScratchRepository;

beforeAll(async () => {
  repository = await ScratchRepository.create();
});
afterAll(() => repository.close());

const objectsDirectory = () => path.join(repository.path, 'objects');
const blob = (content: string | Buffer) => newObject('blob', Buffer.from(content), new TimeSlices());

/** Sizes at which a pack's size field grows by a byte, and past the pieces that large bodies are cut into. */
const SIZES = [0, 1, 15, 16, 17, 2047, 2048, 2049, 262_143, 262_144, 1_048_576, 1_048_577, 3_000_000];

function blobsOfAllSizes(letter: string): Promise<NewObject[]> {
  return Promise.all(SIZES.map((size) => blob(Buffer.alloc(size, letter))));
}

function expectReadable(objects: readonly NewObject[]): void {
  for (const { sha, type, body } of objects) {
    expect(repository.gitBytes(['cat-file', type, sha]).equals(body)).toBe(true);
  }
}

describe('loose objects', () => {
  it('are named and read by git, whatever their size', async () => {
    const objects = await blobsOfAllSizes('l');
    await writeLooseObjects(objectsDirectory(), objects);
    expectReadable(objects);
    expect(repository.git(['hash-object', '--stdin'], objects[5]?.body)).toBe(objects[5]?.sha);
  });

  it('leave no temporary file', async () => {
    const object = await blob('whole');
    await writeLooseObjects(objectsDirectory(), [object]);
    await writeLooseObjects(objectsDirectory(), [object]);
    expect(readdirSync(path.join(objectsDirectory(), object.sha.slice(0, 2)))).toContain(object.sha.slice(2));
    expect(
      readdirSync(objectsDirectory(), { recursive: true }).filter((name) => String(name).includes('tmp')),
    ).toEqual([]);
  });

  it('come back into a folder that packing has removed', async () => {
    const object = await blob('again');
    const folder = path.join(objectsDirectory(), object.sha.slice(0, 2));
    await writeLooseObjects(objectsDirectory(), [object]);
    rmSync(folder, { recursive: true });
    await writeLooseObjects(objectsDirectory(), [object]);
    expectReadable([object]);
  });

  it('fail when the repository is gone', async () => {
    const gone = path.join(repository.folder, 'gone', 'objects');
    await expect(writeLooseObjects(gone, [await blob('x')])).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a pack', () => {
  it('holds objects of every kind and size', async () => {
    const objects = [
      ...(await blobsOfAllSizes('p')),
      await newObject('tree', Buffer.alloc(0), new TimeSlices()),
    ];
    await storePack({ repository: repository.path, broker: repository.broker }, objects);
    expectReadable(objects);
    expect(repository.git(['count-objects', '-v'])).toMatch(/^packs: 1$/m);
  });
});

describe('a commit of ten thousand actions', () => {
  it('is made whole', async () => {
    const actions = Array.from({ length: 10_000 }, (_, i): FileAction => {
      return { action: 'create', path: `d${i % 97}/e${i % 11}/${i}`, content: Buffer.from(`content ${i}`) };
    });
    const common = { message: 'many', author: ALICE, committer: ALICE };
    const started = performance.now();
    const created = await repository.writer.createCommit({ base: null, actions, ...common });
    const moves = actions.map((action): FileAction => {
      return { action: 'move', previousPath: action.path, path: `moved/${action.path}` };
    });
    const moved = await repository.writer.createCommit({ base: created, actions: moves, ...common });
    process.stdout.write(
      `10,000 creations, then 10,000 moves: ${Math.round(performance.now() - started)} ms\n`,
    );
    expect(repository.files(moved)).toHaveLength(10_000);
    expect(repository.git(['rev-parse', `${moved}:moved`])).toBe(
      repository.git(['rev-parse', `${created}^{tree}`]),
    );
  });
});
