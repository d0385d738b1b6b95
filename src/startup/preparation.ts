import type { Log } from '../logging/log';
import type { Settings } from '../settings/settings';
import { openDatabase, prepareDatabase, prepareStorages, type RunningDatabase } from './database';
import { firstStart, type FirstStart } from './first-start';

export interface Preparation {
  readonly database: RunningDatabase;
  readonly migrations: readonly string[];
  /** Null after the first start. */
  readonly first: FirstStart | null;
}

/** All that is done once per machine before requests are answered: folders, database, schema, first administrator. */
export async function prepare(settings: Settings, log: Log): Promise<Preparation> {
  await prepareStorages(settings);
  const database = await openDatabase(settings, log);
  try {
    const migrations = await prepareDatabase(database);
    return { database, migrations, first: await firstStart(settings, database.url, log) };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
