import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The objects of one order are at most a mebibyte; the rest is Node's own. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

/**
 * Starts a disk thread. A build has its program beside this module. Where only sources exist (under Jest) that one file
 * is transpiled by the same compiler the build uses.
 */
export async function startDiskThread(): Promise<Worker> {
  const options = { resourceLimits: LIMITS, env: {}, execArgv: [] };
  if (__filename.endsWith('.js')) return new Worker(join(__dirname, 'disk-thread.js'), options);
  const { transformFile } = await import('@swc/core');
  const { code } = await transformFile(join(__dirname, 'disk-thread.ts'), {
    swcrc: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  });
  return new Worker(code, { ...options, eval: true });
}
