import { createHash } from 'node:crypto';
import type { RepositoryLocation, Verification, VerificationOptions } from '../git';
import type { SpawnBroker } from '../processes/spawn-broker';

const REFS_MS = 5 * 60_000;
const OBJECTS_MS = 60 * 60_000;
const MOST_TEXT = 500;
const CHECK = ['fsck', '--connectivity-only', '--no-dangling', '--no-reflogs', '--no-progress'];

/**
 * Reads all refs, and whether every object that they reach is there. Reads alone, so nobody is kept waiting; what gc
 * moves meanwhile can look lost, so a problem counts when it is found twice.
 */
export async function verifyRepository(
  broker: SpawnBroker,
  { path }: RepositoryLocation,
  { signal, unless = null }: VerificationOptions = {},
): Promise<Verification> {
  const { checksum, problem } = await checksumOfRefs(broker, path, signal);
  if (checksum === null || (unless !== null && checksum.equals(unless))) return { checksum, problem };
  const first = await problemOfObjects(broker, path, signal);
  return { checksum, problem: first === null ? null : await problemOfObjects(broker, path, signal) };
}

async function checksumOfRefs(
  broker: SpawnBroker,
  repository: string,
  signal: AbortSignal | undefined,
): Promise<Verification> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname)'];
  const { code, stdout, stderr } = await broker.run({
    repository,
    args,
    signal,
    timeoutMs: REFS_MS,
    lane: 'long',
  });
  if (code !== 0) return { checksum: null, problem: told(stderr, args) };
  const lines = stdout.toString('latin1').split('\n');
  const sum = Buffer.alloc(32);
  for (const line of lines.filter((each) => each !== '')) {
    const digest = createHash('sha256').update(line, 'latin1').digest();
    for (const [index, byte] of digest.entries()) sum[index] = (sum[index] ?? 0) ^ byte;
  }
  return { checksum: sum, problem: null };
}

async function problemOfObjects(
  broker: SpawnBroker,
  repository: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const run = { repository, args: CHECK, signal, timeoutMs: OBJECTS_MS, lane: 'long' } as const;
  const { code, stdout, stderr } = await broker.run(run);
  return code === 0 ? null : told(`${stderr}\n${stdout.toString('utf8', 0, MOST_TEXT)}`, CHECK);
}

const told = (text: string, [command = '']: readonly string[]): string =>
  text.trim().slice(0, MOST_TEXT) || `git ${command} failed`;
