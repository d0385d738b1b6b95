import { chmod, cp, lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { serverAccount } from './account';
import { binariesOfPackage, findBinaries, packagedFolder } from './binaries';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'binaries-'));
  await chmod(folder, 0o711);
});

afterEach(async () => {
  delete process.env.PGBIN;
  await rm(folder, { recursive: true, force: true });
});

/** The npm package as it is when its install script did not run, in a folder of its own. */
async function packageWithoutLinks(): Promise<string> {
  const native = path.join(folder, 'package/native');
  await cp(packagedFolder() ?? '', native, {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (file) => !(await lstat(file)).isSymbolicLink(),
  });
  return native;
}

describe('the PostgreSQL binaries', () => {
  it('run without the install script of their package', async () => {
    const native = await packageWithoutLinks();
    const found = binariesOfPackage(native, serverAccount(), path.join(folder, 'cache'));
    expect(found).toEqual({
      initdb: path.join(native, 'bin/initdb'),
      postgres: path.join(native, 'bin/postgres'),
      major: 18,
    });
  });

  it('that do not run where PGBIN says are an error with the way out', () => {
    process.env.PGBIN = folder;
    expect(() => findBinaries(serverAccount(), folder)).toThrow(/PGBIN.*DATABASE_URL/);
  });

  if (process.getuid?.() === 0) {
    it('are copied once per version when the project lies where their account cannot go', async () => {
      const native = await packageWithoutLinks();
      await chmod(path.dirname(native), 0o700);
      const cache = path.join(folder, 'cache');
      const found = binariesOfPackage(native, serverAccount(), cache);
      expect(found?.postgres.startsWith(cache)).toBe(true);
      expect(binariesOfPackage(native, serverAccount(), cache)).toEqual(found);
      expect(await readdir(cache)).toHaveLength(1);

      await writeFile(path.join(path.dirname(native), 'package.json'), '{"version":"of tomorrow"}');
      const updated = binariesOfPackage(native, serverAccount(), cache);
      expect(updated?.postgres).not.toBe(found?.postgres);
    });
  }
});
