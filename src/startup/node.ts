import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { createApplication } from '../application';
import { Serving } from '../health/serving';
import { accessLog } from '../logging/access-log';
import type { Log } from '../logging/log';
import { NestLog } from '../logging/nest-log';
import type { Settings } from '../settings/settings';
import { openDatabase } from './database';
import { closeServer } from './orderly-stop';
import { limitServer } from './server-limits';

/** A process that answers requests. */
export interface ServingNode {
  /** Readiness turns at once; requests in flight finish, then jobs, git processes and the database are let go. */
  stop(): Promise<void>;
}

/** Serves on the port of the settings. The database must have been prepared. */
export async function startNode(settings: Settings, log: Log): Promise<ServingNode> {
  const database = await openDatabase(settings, log);
  try {
    const app: INestApplication<Server> = await createApplication(
      settings,
      database.url,
      new NestLog(log),
      accessLog(log),
    );
    const server = app.getHttpServer();
    limitServer(server);
    await app.listen(settings.port, settings.host);
    return {
      async stop() {
        app.get(Serving).stop();
        await closeServer(server);
        await app.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
