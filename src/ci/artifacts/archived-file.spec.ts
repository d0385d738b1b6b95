import fs, { type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { zipOf, type ZipEntry } from '../../../test/support/zip-file';
import { openArchivedFile } from './archived-file';

const MANY = 5_000;

describe('a file out of an archive', () => {
  let folder: string;
  const opened: FileHandle[] = [];

  const archiveOf = async (bytes: Buffer): Promise<FileHandle> => {
    const file = path.join(folder, String(opened.length));
    await fs.writeFile(file, bytes);
    const handle = await fs.open(file, 'r');
    opened.push(handle);
    return handle;
  };

  const entries = (count: number): ZipEntry[] =>
    Array.from({ length: count }, (_, index) => ({
      name: `modules/some-module-with-a-long-name/file-${index}.js`,
      content: `content ${index}`,
      deflated: index % 2 === 0,
    }));

  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(tmpdir(), 'archives-'));
  });

  afterAll(async () => {
    await Promise.all(opened.map((handle) => handle.close().catch(() => undefined)));
    await fs.rm(folder, { recursive: true });
  });

  it('is found among many, without a look at the disk for each of them', async () => {
    const zip = zipOf([...entries(MANY), { name: 'empty', content: '' }]);
    for (const index of [0, 1, MANY / 2, MANY - 1]) {
      const archive = await archiveOf(zip);
      const reads = jest.spyOn(archive, 'read');
      const found = await openArchivedFile(archive, `modules/some-module-with-a-long-name/file-${index}.js`);
      expect(found && (await text(found.bytes))).toBe(`content ${index}`);
      expect(reads.mock.calls.length).toBeLessThan(20);
    }
    const empty = await openArchivedFile(await archiveOf(zip), 'empty');
    expect(empty && [empty.size, await text(empty.bytes)]).toEqual([0, '']);
  });

  it('is not there where the archive is cut off, wherever that is', async () => {
    const zip = zipOf(entries(3));
    const wanted = 'modules/some-module-with-a-long-name/file-2.js';
    for (let length = 0; length < zip.length; length += 7) {
      expect(await openArchivedFile(await archiveOf(zip.subarray(0, length)), wanted)).toBeNull();
    }
    expect(await openArchivedFile(await archiveOf(zip), wanted)).not.toBeNull();
  });

  it('is not there where what the directory says of its place is not so', async () => {
    const zip = zipOf(entries(1));
    const directory = zip.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    zip.writeUInt32LE(zip.length + 1_000, directory + 42);
    const wanted = 'modules/some-module-with-a-long-name/file-0.js';
    expect(await openArchivedFile(await archiveOf(zip), wanted)).toBeNull();
  });
});
