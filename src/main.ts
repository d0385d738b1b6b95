import cluster from 'node:cluster';
import { createLog } from './logging/log';
import { readSettings, type Settings } from './settings/settings';
import { explainFailure } from './startup/failure';
import { greeting } from './startup/greeting';
import { startNode } from './startup/node';
import { onStopSignal } from './startup/orderly-stop';
import { prepare } from './startup/preparation';
import { WorkerGroup } from './startup/workers';

/** One process does everything. */
async function runAlone(settings: Settings): Promise<void> {
  const log = createLog(settings.logLevel);
  const preparation = await prepare(settings, log);
  const node = await startNode(settings, log);
  onStopSignal(async () => {
    await node.stop();
    await preparation.database.stop();
  });
  console.log(greeting(settings, preparation));
}

/** This process prepares and watches; its workers answer requests. */
async function runGroup(settings: Settings): Promise<void> {
  const log = createLog(settings.logLevel);
  const preparation = await prepare(settings, log);
  const workers = new WorkerGroup(settings.webConcurrency, log, () => {
    log.fatal('no server process could start');
    preparation.database.stop().then(() => process.exit(1), fail);
  });
  onStopSignal(async () => {
    await workers.stop();
    await preparation.database.stop();
  });
  await workers.start();
  console.log(greeting(settings, preparation));
}

async function runWorker(settings: Settings): Promise<void> {
  const node = await startNode(settings, createLog(settings.logLevel));
  onStopSignal(() => node.stop(), ['SIGTERM']);
  // A terminal sends it to the whole group; the watching process passes on what it means.
  process.on('SIGINT', () => undefined);
  // The watching process is gone: nobody would replace or stop this one.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

function fail(error: unknown): never {
  console.error(explainFailure(error));
  process.exit(1);
}

async function run(): Promise<void> {
  const settings = readSettings(process.env);
  if (cluster.isWorker) await runWorker(settings);
  else if (settings.webConcurrency > 1) await runGroup(settings);
  else await runAlone(settings);
}

run().catch(fail);
