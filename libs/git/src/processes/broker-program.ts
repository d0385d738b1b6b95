import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The JavaScript file of the broker's program. A build has it beside this module. Where only sources exist (under
 * Jest) that one file is transpiled into `folder` by the same compiler the build uses.
 */
export async function brokerProgram(folder: string): Promise<string> {
  if (__filename.endsWith('.js')) return join(__dirname, 'broker-child.js');
  const { transformFile } = await import('@swc/core');
  const { code } = await transformFile(join(__dirname, 'broker-child.ts'), {
    swcrc: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  });
  const file = join(folder, 'broker-child.cjs');
  await writeFile(file, code, { mode: 0o600 });
  return file;
}
