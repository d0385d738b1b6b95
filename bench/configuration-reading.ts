/**
 * What others notice while the worst configurations are looked over: `node dist/bench/configuration-reading.js` after
 * the build that `npm run bench` makes.
 *
 * In turns, so that noise meets both: requests that cost next to nothing alone, and the same while two clients have the
 * worst file checked that is accepted, again and again. Prints p50 and p99 of the small requests and by how much the
 * event loop was late at most; then how long the check of an ordinary file takes. ROUNDS and SECONDS change how long it
 * takes. Ends with status 1 where the event loop was ever late for longer than the limit while files were checked.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { measure, summary, type Load, type Measured } from './rounds';

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const SECONDS = Number(process.env['SECONDS'] ?? 5);
const CONNECTIONS = 8;
const CHECKERS = 2;
/** Without threads it was the time that one file takes, half a second and more. */
const MOST_LATE_MS = 250;
const START_ATTEMPTS = 300;

/** What the parser takes longest for, in as many tokens as are accepted. */
const WORST = `a: ${']'.repeat(99_000)}`;
const ORDINARY = `
stages: [build, test, deploy]
.base: { image: ruby, before_script: [bundle], only: [branches] }
${Array.from({ length: 20 }, (_, at) => `job${at}: { extends: .base, stage: test, script: [one, two] }`).join('\n')}
`;

interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Service {
  readonly url: string;
  readonly headers: Record<string, string>;
  loopDelay(): Promise<LoopDelay>;
  stop(): Promise<void>;
}

async function startService(): Promise<Service> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'service-bench-'));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const token = randomBytes(20).toString('hex');
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: folder,
    INITIAL_ROOT_TOKEN: token,
    LOG_LEVEL: 'warn',
  };
  const child = fork(path.join(__dirname, '../src/main.js'), [], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--max-semi-space-size=64', '--require', path.join(__dirname, 'loop-delay.js')],
  });
  const url = `http://127.0.0.1:${port}`;
  await until(`${url}/-/readiness`);
  return {
    url,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    loopDelay: () => delayOf(child),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}

async function until(url: string): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} does not answer`);
}

const delayOf = (child: ChildProcess): Promise<LoopDelay> =>
  new Promise((resolve) => {
    child.once('message', (delay: LoopDelay) => resolve(delay));
    child.send('loop delay');
  });

const small = ({ url, headers }: Service): Load => ({ name: 'small', url: `${url}/api/v4/version`, headers });

const check = ({ url, headers }: Service, content: string): Load => ({
  name: 'check',
  url: `${url}/api/v4/ci/lint`,
  method: 'POST',
  headers,
  body: () => JSON.stringify({ content }),
});

interface Round extends Measured {
  readonly late: LoopDelay;
}

async function round(service: Service, load: Load, beside: Load | null): Promise<Round> {
  await service.loopDelay();
  const others = beside ? measure(beside, SECONDS, CHECKERS) : null;
  const measured = await measure(load, SECONDS, CONNECTIONS);
  const late = await service.loopDelay();
  const checked = await others;
  if (checked)
    console.log(`  worst files checked: ${checked.requestsPerSecond}/s, failures ${checked.failures}`);
  return { ...measured, late };
}

function print(name: string, rounds: readonly Round[]): number {
  const { requestsPerSecond, p50, p99, failures } = summary(rounds);
  const latest = Math.max(...rounds.map(({ late }) => late.max));
  const usual = Math.max(...rounds.map(({ late }) => late.p99));
  const load = `${requestsPerSecond.toFixed(0)}/s, p50 ${p50} ms, p99 ${p99} ms, failures ${failures}`;
  console.log(
    `${name}: ${load}; event loop late p99 ${usual.toFixed(1)} ms, at most ${latest.toFixed(1)} ms`,
  );
  return latest;
}

async function main(): Promise<void> {
  const service = await startService();
  try {
    await measure(check(service, ORDINARY), 1, 1);
    const [alone, beside]: [Round[], Round[]] = [[], []];
    for (let number = 0; number < ROUNDS; number += 1) {
      alone.push(await round(service, small(service), null));
      beside.push(await round(service, small(service), check(service, WORST)));
    }
    print('small requests alone', alone);
    const latest = print('small requests while the worst files are checked', beside);
    const ordinary = await measure(check(service, ORDINARY), SECONDS, 1);
    console.log(`an ordinary file: p50 ${ordinary.p50} ms, p99 ${ordinary.p99} ms`);
    if (latest > MOST_LATE_MS) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

void main();
