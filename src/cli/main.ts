import { DomainError } from '#libs/errors';
import { answerFor } from '#libs/http';
import { createLog } from '../logging/log';
import { readSettings } from '../settings/settings';
import { withApplication } from '../startup/application-context';
import { explainFailure } from '../startup/failure';
import { prepare } from '../startup/preparation';
import { readInput, usage } from './arguments';
import { UsageError, type Command } from './command';
import { createToken } from './create-token.command';
import { createUser } from './create-user.command';
import { importProject } from './import-project.command';
import { migrateSchema } from './migrate.command';
import { listRoutes } from './routes.command';
import { seed } from './seed.command';

const COMMANDS: readonly Command[] = [
  createUser,
  createToken,
  importProject,
  seed,
  listRoutes,
  migrateSchema,
];

/** Works beside a running server: it uses the same database, the embedded one included. */
async function run([name, ...args]: readonly string[]): Promise<string> {
  if (name === undefined || name === 'help' || name === '--help') return usage(COMMANDS);
  const command = COMMANDS.find((each) => each.name === name);
  if (!command) throw new UsageError(`there is no command ${name}`);
  const input = readInput(command, args);
  const settings = readSettings(process.env);
  const log = createLog('error');
  const { database } = await prepare(settings, log);
  try {
    return await withApplication(settings, database.url, log, (application) =>
      command.run(application, input),
    );
  } finally {
    await database.stop();
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage(COMMANDS)}`;
  if (error instanceof DomainError) return JSON.stringify(answerFor(error.detail).body);
  return explainFailure(error);
}

run(process.argv.slice(2)).then(
  (text) => {
    console.log(text);
  },
  (error: unknown) => {
    console.error(explain(error));
    process.exitCode = 1;
  },
);
