import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time for load balancers to see that readiness has turned, during which requests are still taken. */
const DRAIN_MS = 1000;
const IN_FLIGHT_LIMIT_MS = 30_000;
const POLL_MS = 50;

/** Lets requests in flight finish, no longer than the limit; connections left after it are cut. */
export async function closeServer(
  server: Server,
  drainMs = DRAIN_MS,
  limitMs = IN_FLIGHT_LIMIT_MS,
): Promise<void> {
  if (!server.listening) return;
  await sleep(drainMs);
  const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
  const deadline = Date.now() + limitMs;
  // A connection kept alive becomes idle only when its last answer is out.
  while (Date.now() < deadline) {
    server.closeIdleConnections();
    if (await Promise.race([closed, sleep(POLL_MS, false)])) return;
  }
  server.closeAllConnections();
  await closed;
}

/** Calls `stop` at the first of the signals; a second one ends the process at once. */
export function onStopSignal(
  stop: () => Promise<void>,
  signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
): void {
  let asked = false;
  const obey = (): void => {
    if (asked) process.exit(1);
    asked = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, obey);
}
