import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { processesWith } from '../../../testing/src/git/process-list';
import type { GitService, PushHandler, PushRefusal, RefUpdate } from '../git';
import { EngineCaches } from '../caches/engine-caches';
import { ProcessPool } from '../processes/process-pool';
import { SpawnBroker } from '../processes/spawn-broker';
import { ObjectReader } from '../reading/object-reader';
import { RepositoryReader } from '../reading/reader';
import type { ClosableReader, RepositoryContext } from '../repository-context';
import { DiskThreads } from '../writing/disk-threads';
import { RepositoryStorage } from '../writing/storage';
import { closeHookDesk } from './hook-desk';
import type { ReceivedPush } from './judgement';
import type { TransportLimits } from './settings';
import { RepositoryTransport } from './transport';
import type { TransportContext } from './transport-context';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A plain HTTP server around the transport of one repository, and the real git client to drive it. */
export class GitSite {
  /** What the application says to a push; accepts by default. */
  decide: (push: ReceivedPush) => Promise<PushRefusal | null> = () => Promise.resolve(null);
  /** What `finished` was told, push by push. */
  readonly moved: (readonly RefUpdate[] | null)[] = [];
  /** Headers and sizes of the requests that came. */
  readonly requests: { url: string; encoding: string | undefined; isChunked: boolean }[] = [];
  /** What the transport's streams failed with. */
  readonly failures: unknown[] = [];
  limits: Partial<TransportLimits> = {};
  decided = 0;
  private readonly busy = new Set<Promise<void>>();
  private readonly disk = new DiskThreads();

  private constructor(
    readonly folder: string,
    readonly broker: SpawnBroker,
    private readonly server: Server,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const served = this.serve(request, response);
      this.busy.add(served);
      void served.finally(() => this.busy.delete(served));
    });
  }

  static async start(): Promise<GitSite> {
    const folder = await mkdtemp(join(tmpdir(), 'git-site-'));
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const site = new GitSite(folder, new SpawnBroker(), server);
    await new RepositoryStorage(site.broker).create({ path: site.repository }, 'main');
    return site;
  }

  get repository(): string {
    return join(this.folder, 'site.git');
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}/site.git`;
  }

  /** Runs git anywhere below the site's folder; resolves for any exit code. */
  git(args: readonly string[], cwd = this.folder, env: Record<string, string> = {}): Promise<Outcome> {
    return new Promise((resolve) => {
      const options = { cwd, env: { ...this.environment(), ...env }, maxBuffer: 64 * 1024 * 1024 };
      execFile('git', [...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, stdout, stderr });
      });
    });
  }

  /** Runs git and throws when it fails. */
  async must(args: readonly string[], cwd?: string, env?: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await this.git(args, cwd, env);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  /** A work tree beside the site, with one commit on main that the site does not have yet. */
  async workTree(name = 'work'): Promise<string> {
    const path = join(this.folder, name);
    await this.must(['init', '--quiet', '--initial-branch=main', path]);
    await this.must(['remote', 'add', 'origin', this.url], path);
    await this.commit(path, { 'README.md': 'first\n' });
    return path;
  }

  /** Commits files to a work tree's present branch; answers the new commit's name. */
  async commit(work: string, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
    for (const [file, content] of Object.entries(files)) {
      await mkdir(dirname(join(work, file)), { recursive: true });
      await writeFile(join(work, file), content);
    }
    await this.must(['add', '--all'], work);
    await this.must(['commit', '--quiet', '--allow-empty', '--message', 'change'], work);
    return this.must(['rev-parse', 'HEAD'], work);
  }

  /** Asks the repository itself; throws when git fails. */
  inside(...args: readonly string[]): Promise<string> {
    return this.must(['-C', this.repository, ...args]);
  }

  /** Ids of the git processes that still work for this site. */
  async processIds(): Promise<number[]> {
    const all = await processesWith('');
    return all.filter(({ command }) => this.isMine(command)).map(({ pid }) => pid);
  }

  /** A git client of its own process group, for tests that kill it. */
  spawnClient(args: readonly string[], cwd: string): ChildProcess {
    return spawn('git', [...args], { cwd, env: this.environment(), stdio: 'ignore', detached: true });
  }

  /** Resolves once no request is being served any more. */
  async quiet(): Promise<void> {
    while (this.busy.size > 0) await Promise.all(this.busy);
  }

  /** How many objects the repository holds, loose and packed, and which quarantines lie about. */
  async objects(): Promise<{ count: number; quarantines: string[] }> {
    const report = await this.inside('count-objects', '-v');
    const figure = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(report)?.[1]);
    const names = await readdir(join(this.repository, 'objects'));
    const quarantines = names.filter((name) => name.startsWith('tmp_objdir') || name.startsWith('incoming'));
    return { count: figure('count') + figure('in-pack'), quarantines };
  }

  /** A transport outside the HTTP server, for what no client would send. */
  transport(signal?: AbortSignal): RepositoryTransport {
    const location = { path: this.repository };
    const context: TransportContext = {
      location,
      broker: this.broker,
      signal,
      reader: (env) => incomingReader({ location, broker: this.broker, disk: this.disk, signal, env }),
    };
    return new RepositoryTransport(context, this.limits);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.quiet();
    await closeHookDesk(this.broker);
    await this.broker.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private isMine(command: string): boolean {
    return command.startsWith('git ') && command.includes(`--git-dir=${this.repository}`);
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      HOME: this.folder,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
    };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const url = request.url ?? '';
    const encoding = request.headers['content-encoding'];
    this.requests.push({ url, encoding, isChunked: request.headers['transfer-encoding'] === 'chunked' });
    try {
      await pipeline(await this.answer(request, response, gone.signal), response);
    } catch (error) {
      this.failures.push(error);
      response.destroy();
    }
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<Readable> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const protocol = request.headers['git-protocol'];
    const version = typeof protocol === 'string' ? protocol : null;
    const transport = this.transport(signal);
    if (pathname.endsWith('/info/refs')) {
      const service: GitService =
        searchParams.get('service') === 'git-receive-pack' ? 'git-receive-pack' : 'git-upload-pack';
      response.setHeader('content-type', `application/x-${service}-advertisement`);
      return transport.advertise(service, version);
    }
    const isPush = pathname.endsWith('/git-receive-pack');
    response.setHeader('content-type', `application/x-git-${isPush ? 'receive' : 'upload'}-pack-result`);
    const body = plainBody(request);
    return isPush
      ? transport.receivePack(body, version, this.handler())
      : transport.uploadPack(body, version);
  }

  private handler(): PushHandler {
    return {
      decide: (push: ReceivedPush) => {
        this.decided += 1;
        return this.decide(push);
      },
      finished: (moved) => {
        this.moved.push(moved);
        return Promise.resolve();
      },
    };
  }
}

function plainBody(request: IncomingMessage): Readable {
  if (request.headers['content-encoding'] !== 'gzip') return request;
  const plain = createGunzip();
  // A request that breaks off destroys the stream, which is all the transport needs to know.
  pipeline(request, plain).catch(() => undefined);
  return plain;
}

/** The engine's own way to a reader, in small. */
function incomingReader(
  opening: Pick<RepositoryContext, 'location' | 'broker' | 'disk' | 'signal' | 'env'>,
): ClosableReader {
  const pool = new ProcessPool(opening.broker, { env: opening.env, mostProcesses: 2 });
  const own = { ...opening, pool, caches: new EngineCaches(1024 * 1024) };
  const context: RepositoryContext = {
    ...own,
    objects: new ObjectReader(own),
    reader: (env) => incomingReader({ ...opening, env }),
  };
  return Object.assign(new RepositoryReader(context), { close: () => pool.close() });
}
