import fs from 'node:fs/promises';
import type { Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { ConsoleLogger, type INestApplication } from '@nestjs/common';
import { createTestDatabase, madeOnce } from '#libs/testing';
import { Client } from 'pg';
import { createApplication } from '../../src/application';
import { readSettings, type Settings } from '../../src/settings/settings';
import { ApiClient } from './api-client';
import { Builders } from './builders';

/** The real application over a database and a storage of its own. */
export class TestApplication {
  constructor(
    readonly nest: INestApplication<Server>,
    readonly settings: Settings,
    readonly database: Client,
    readonly build: Builders,
    /** Another node of the same service, over the same database and storage; closed with this one. */
    readonly startAnother: () => Promise<TestApplication>,
    private readonly dispose: () => Promise<void>,
  ) {}

  /** Anonymous. */
  get api(): ApiClient {
    return new ApiClient(this.nest.getHttpServer());
  }

  as(user: { token: string }): ApiClient {
    return this.api.as(user);
  }

  /** Base URL of the listening server, for real clients. */
  get url(): string {
    const address = this.nest.getHttpServer().address();
    if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  close = (): Promise<void> => this.dispose();
}

/** Silent unless TEST_LOG is set, for whoever looks into a failing test. */
const testLogger = (): ConsoleLogger | false => (process.env['TEST_LOG'] ? new ConsoleLogger() : false);

type BeforeListening = (nest: INestApplication) => void;

/**
 * URL of a database in which the job queues are made already, which half of a first start goes into. Once a run, by a
 * start whose traces are wiped.
 */
async function databaseWithQueues(): Promise<string> {
  const folder = await madeOnce('queues', async (made) => {
    const { url } = await createTestDatabase();
    const nest = await createApplication(readSettings({ DATA_DIR: path.join(made, 'data') }), url, false);
    await nest.init();
    await nest.close();
    const database = new Client({ connectionString: url });
    await database.connect();
    await database.query('DELETE FROM job_periods; DELETE FROM pgboss.job');
    await database.end();
    await fs.writeFile(path.join(made, 'url'), url);
  });
  return fs.readFile(path.join(folder, 'url'), 'utf8');
}

/** Starts it on a free port of the loopback interface. */
export async function startApplication(
  environment: Readonly<Record<string, string>> = {},
  beforeListening: BeforeListening = () => undefined,
): Promise<TestApplication> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'service-test-'));
  const store = await createTestDatabase(await databaseWithQueues());
  const settings = readSettings({ DATA_DIR: folder, EXTERNAL_URL: 'http://service.test', ...environment });
  return startNode(settings, store.url, beforeListening, async () => {
    await store.drop();
    await fs.rm(folder, { recursive: true, force: true });
  });
}

async function startNode(
  settings: Settings,
  databaseUrl: string,
  beforeListening: BeforeListening,
  cleanUp: () => Promise<void>,
): Promise<TestApplication> {
  const nest = await createApplication(settings, databaseUrl, testLogger());
  beforeListening(nest);
  await nest.listen(0, '127.0.0.1');
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const others: TestApplication[] = [];
  const startAnother = async (): Promise<TestApplication> => {
    const other = await startNode(settings, databaseUrl, beforeListening, () => Promise.resolve());
    others.push(other);
    return other;
  };
  return new TestApplication(
    nest,
    settings,
    database,
    new Builders(database, nest),
    startAnother,
    async () => {
      for (const other of others) await other.close();
      await nest.close();
      await database.end();
      await cleanUp();
    },
  );
}

/** One application for all tests of a file. */
export function useApplication(environment: Readonly<Record<string, string>> = {}): {
  readonly current: TestApplication;
} {
  let running: TestApplication | undefined;
  beforeAll(async () => {
    running = await startApplication(environment);
  });
  afterAll(() => running?.close());
  return {
    get current() {
      if (!running) throw new Error('the application runs inside tests only');
      return running;
    },
  };
}
