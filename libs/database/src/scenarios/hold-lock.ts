import { createInterface } from 'node:readline/promises';
import { AdvisoryLocks } from '../advisory-locks';

/** Holds a lock until told "release". Says "waiting", "held" and "released". */
async function holdLock(url: string, key: string): Promise<void> {
  const locks = new AdvisoryLocks(url, 2, 'test');
  const input = createInterface({ input: process.stdin });
  console.log('waiting');
  await locks.hold(key, async () => {
    console.log('held');
    await input.question('');
  });
  console.log('released');
  input.close();
  await locks.onApplicationShutdown();
}

const [url = '', key = ''] = process.argv.slice(2);
holdLock(url, key).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
