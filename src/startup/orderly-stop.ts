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

/** Calls `stop` at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => Promise<void>): void {
  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      stop(signal).then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
