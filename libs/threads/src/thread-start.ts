import path from 'node:path';
import { Worker, type ResourceLimits } from 'node:worker_threads';

/**
 * Starts a program in a thread of its own, without environment. `program` is the absolute path of its module without
 * its ending: a build has it compiled, and where only sources exist (under Jest) the thread compiles what it loads.
 */
export function startThread(program: string, resourceLimits: ResourceLimits): Worker {
  const options = { resourceLimits, env: {}, execArgv: [] };
  if (__filename.endsWith('.js')) return new Worker(`${program}.js`, options);
  const hook = path.resolve(__dirname, '../../testing/src/processes/typescript-hook.cjs');
  const code = [hook, `${program}.ts`].map((file) => `require(${JSON.stringify(file)});`).join('\n');
  return new Worker(code, { ...options, eval: true });
}
