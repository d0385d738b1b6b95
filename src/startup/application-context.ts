import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module';
import type { Log } from '../logging/log';
import { NestLog } from '../logging/nest-log';
import type { Settings } from '../settings/settings';

/** Runs work on the application's services, without a server, and lets everything go again. */
export async function withApplication<T>(
  settings: Settings,
  databaseUrl: string,
  log: Log,
  work: (application: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const module = AppModule.forRoot(settings, databaseUrl);
  const application = await NestFactory.createApplicationContext(module, {
    logger: new NestLog(log),
    abortOnError: false,
  });
  return work(application).finally(() => application.close());
}
