import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, open } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GitProcessError } from '../git';
import type { SpawnBroker } from '../processes/spawn-broker';
import { HOOK_NAME, HOOK_SCRIPT, type HookEnvironment } from './hook-script';

/** A line on the bell is a folder's name, 32 digits: anything much longer was not written by our hook. */
const LONGEST_RING = 64 * 1024;
const MKFIFO_MS = 10_000;

/** A push that is registered with the desk, from before git starts until after it has ended. */
export interface HookVisit {
  /** The push's own folder. */
  readonly folder: string;
  /** What core.hooksPath must name. */
  readonly hooksPath: string;
  readonly environment: HookEnvironment;
  /** Forgets the push and removes its folder. */
  end(): Promise<void>;
}

interface Premises {
  readonly folder: string;
  readonly hooksPath: string;
  readonly bell: Socket;
}

/**
 * Where the hooks of running pushes ring: a private folder that holds our one hook, the bell and a folder per push.
 * Set up at the first push and again when it has vanished (temporary folders are swept on long-lived machines).
 */
export class HookDesk {
  private premises: Promise<Premises> | undefined;
  private readonly visitors = new Map<string, () => void>();

  /**
   * Registers a push; `asked` is called at most once, with the push's folder, when its hook has rung.
   * Throws when the hook cannot be run: git would take a missing hook for consent.
   */
  async admit(asked: (folder: string) => void, patienceMs: number): Promise<HookVisit> {
    const { folder, hooksPath } = await this.usablePremises();
    const name = randomBytes(16).toString('hex');
    const visit = join(folder, name);
    await mkdir(visit, { mode: 0o700 });
    this.visitors.set(name, () => asked(visit));
    return {
      folder: visit,
      hooksPath,
      environment: {
        PUSH_FOLDER: visit,
        PUSH_BELL: join(folder, 'bell'),
        PUSH_PATIENCE: String(Math.ceil(patienceMs / 1000)),
      },
      end: async () => {
        this.visitors.delete(name);
        await rm(visit, { recursive: true, force: true });
      },
    };
  }

  /** Removes the desk. Pushes still waiting for an answer are refused by their hooks. */
  async close(): Promise<void> {
    const premises = await this.premises?.catch(() => undefined);
    this.premises = undefined;
    this.visitors.clear();
    if (premises !== undefined) await vacate(premises);
  }

  private async usablePremises(): Promise<Premises> {
    const known = this.premises;
    if (known !== undefined) {
      const premises = await known.catch(() => undefined);
      if (premises !== undefined && (await isUsable(premises))) return premises;
      // Only one of several pushes that find the desk broken sets up the next one.
      if (this.premises === known) this.premises = undefined;
    }
    this.premises ??= this.setUp();
    return this.premises;
  }

  private async setUp(): Promise<Premises> {
    const folder = await mkdtemp(join(tmpdir(), 'git-hooks-'));
    const hooksPath = join(folder, 'hooks');
    const hook = join(hooksPath, HOOK_NAME);
    await mkdir(hooksPath, { mode: 0o700 });
    await writeFile(hook, HOOK_SCRIPT);
    await chmod(hook, 0o700);
    await access(hook, constants.X_OK).catch(() => {
      throw new GitProcessError(`hooks cannot be executed under ${tmpdir()}`, null, '');
    });
    const bell = await hangBell(join(folder, 'bell'), (name) => this.answerDoor(name));
    return { folder, hooksPath, bell };
  }

  private answerDoor(name: string): void {
    const asked = this.visitors.get(name);
    this.visitors.delete(name);
    asked?.();
  }
}

const desks = new WeakMap<SpawnBroker, HookDesk>();

/** The desk of an engine, told by its broker: one for all its repositories. */
export function hookDeskOf(broker: SpawnBroker): HookDesk {
  const known = desks.get(broker);
  if (known !== undefined) return known;
  const desk = new HookDesk();
  desks.set(broker, desk);
  return desk;
}

/** Removes an engine's desk, if it has one; for when the engine closes. */
export async function closeHookDesk(broker: SpawnBroker): Promise<void> {
  await desks.get(broker)?.close();
  desks.delete(broker);
}

async function isUsable({ hooksPath, folder, bell }: Premises): Promise<boolean> {
  if (bell.destroyed) return false;
  const checks = [access(join(hooksPath, HOOK_NAME), constants.X_OK), access(join(folder, 'bell'))];
  return (await Promise.allSettled(checks)).every(({ status }) => status === 'fulfilled');
}

/**
 * Makes a FIFO and listens on it. Opened for writing too, so that it never comes to an end when a hook closes it, and
 * non-blocking, so that no thread of the pool waits in open().
 */
async function hangBell(path: string, rung: (name: string) => void): Promise<Socket> {
  await promisify(execFile)('mkfifo', ['-m', '600', path], { timeout: MKFIFO_MS });
  // A plain descriptor, not a FileHandle: from here on the socket owns and closes it.
  const fd = await promisify(open)(path, constants.O_RDWR | constants.O_NONBLOCK);
  const bell = new Socket({ fd, readable: true, writable: false });
  let heard = '';
  bell.setEncoding('latin1');
  bell.on('data', (text: string) => {
    const names = (heard + text).split('\n');
    heard = (names.pop() ?? '').slice(0, LONGEST_RING);
    names.forEach(rung);
  });
  bell.on('error', () => bell.destroy());
  // The desk alone keeps no process alive.
  bell.unref();
  return bell;
}

async function vacate({ bell, folder }: Premises): Promise<void> {
  bell.destroy();
  await rm(folder, { recursive: true, force: true });
}
