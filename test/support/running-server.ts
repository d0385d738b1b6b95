import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { madeOnce } from '#libs/testing';

const ROOT = path.resolve(__dirname, '../..');
const START_LIMIT_MS = 60_000;
const POLL_MS = 50;

/** The service compiled into a folder of its own, so that tests neither need nor disturb `dist`. */
export class BuiltService {
  private constructor(readonly folder: string) {}

  /** Once for all test files of a run. */
  static async build(): Promise<BuiltService> {
    return new BuiltService(await madeOnce('built', compileInto));
  }

  /** Starts `src/main`; does not wait for it. */
  run(
    environment: Readonly<Record<string, string>>,
    program = 'src/main.js',
    args: readonly string[] = [],
  ): RunningProcess {
    const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment };
    return new RunningProcess(
      spawn(process.execPath, [path.join(this.folder, program), ...args], { env, cwd: this.folder }),
    );
  }
}

async function compileInto(folder: string): Promise<void> {
  const swc = path.join(ROOT, 'node_modules/.bin/swc');
  const { status, stderr } = spawnSync(swc, ['src', 'libs', 'migrations', '-d', folder, '--quiet'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the build failed: ${stderr}`);
  await fs.symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const manifest = { imports: { '#libs/*': './libs/*/src/index.js' } };
  await fs.writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
}

/** A process of the service, and what it has said so far. */
export class RunningProcess {
  output = '';
  errors = '';
  private readonly end: Promise<number | NodeJS.Signals | null>;

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.end = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process did not start');
    return this.child.pid;
  }

  /** Waits until the service says that it is ready. */
  async ready(): Promise<this> {
    await this.until(
      () => this.output.includes('The service is ready.') && this.output.includes('Token of root'),
    );
    return this;
  }

  /** Polls until the condition holds; throws with everything said when it does not in time. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    while (!(await condition())) {
      if (Date.now() > deadline || this.child.exitCode !== null)
        throw new Error(`never came:\n${this.output}\n${this.errors}`);
      await sleep(POLL_MS);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Exit code, or the signal that ended it. */
  ended = (): Promise<number | NodeJS.Signals | null> => this.end;

  /** Ends it whatever it is doing. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.end;
  }
}

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<string> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return String(address.port);
}
