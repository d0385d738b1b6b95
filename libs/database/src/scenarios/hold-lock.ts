import { createInterface } from 'node:readline/promises';
import { AdvisoryLocks } from '../advisory-locks';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Holds a lock until told "release". Says "waiting", "held" and "released". */
async function holdLock(url: string, key: string): Promise<void> {
  const locks = new AdvisoryLocks(url, 2, 'test');
  const input = createInterface({ input: process.stdin });
  say('waiting');
  await locks.hold(key, async () => {
    say('held');
    await input.question('');
  });
  say('released');
  input.close();
  await locks.onApplicationShutdown();
}

const [url = '', key = ''] = process.argv.slice(2);
// A failure ends the process with its stack, which the test shows.
void holdLock(url, key);
