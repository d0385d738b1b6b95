import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { Client } from 'pg';
import { hashedDiskPath } from '../../../src/repository/storages/storages';
import { BuiltService, freePort, type RunningProcess } from '../../support/running-server';
import { NodeClient } from './node-client';

export const ROOT_TOKEN = 'token-of-root-in-fault-tests';

/** A process of the service that listens. */
export interface ServiceNode {
  readonly process: RunningProcess;
  readonly url: string;
  /** As root. */
  readonly api: NodeClient;
}

type Environment = Readonly<Record<string, string>>;

/** A data directory and a database, over which nodes of the built service start, die and start again. */
export class Site {
  private readonly processes: RunningProcess[] = [];

  private constructor(
    private readonly built: BuiltService,
    readonly dataDir: string,
    private readonly database: TestDatabase,
    /** For looking at the rows that the nodes work on. */
    readonly rows: Client,
  ) {}

  static async create(): Promise<Site> {
    const built = await BuiltService.build();
    const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'service-faults-'));
    const database = await createTestDatabase();
    const rows = new Client({ connectionString: database.url });
    await rows.connect();
    return new Site(built, dataDir, database, rows);
  }

  /** Starts a node and waits until it listens. */
  async start(environment: Environment = {}): Promise<ServiceNode> {
    const port = environment['PORT'] ?? (await freePort());
    await fs.mkdir(this.temporary, { recursive: true });
    const process = this.built.run({
      DATA_DIR: this.dataDir,
      TMPDIR: this.temporary,
      DATABASE_URL: this.database.url,
      PORT: port,
      INITIAL_ROOT_TOKEN: ROOT_TOKEN,
      LOG_LEVEL: 'warn',
      ...environment,
    });
    this.processes.push(process);
    await process.ready();
    const url = `http://127.0.0.1:${port}`;
    return { process, url, api: new NodeClient(url, ROOT_TOKEN) };
  }

  /** Who is killed removes no temporary files: they go with everything else. */
  private get temporary(): string {
    return path.join(this.dataDir, 'tmp');
  }

  /** The bare repository of a project, for asking git itself. */
  repositoryOf(projectId: number): string {
    return path.join(this.dataDir, 'repositories', `${hashedDiskPath(projectId)}.git`);
  }

  async remove(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill()));
    await this.rows.end();
    await this.database.drop();
    await fs.rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One site for all tests of a file. */
export function useSite(): { readonly current: Site } {
  let site: Site | undefined;
  beforeAll(async () => {
    site = await Site.create();
  });
  afterAll(() => site?.remove());
  return {
    get current() {
      if (!site) throw new Error('the site exists inside tests only');
      return site;
    },
  };
}
