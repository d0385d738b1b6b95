/** How many connections each pool of one process may open. */
export interface ConnectionShares {
  readonly main: number;
  /** How many repositories the process writes at once. */
  readonly locks: number;
  readonly jobs: number;
}

/** How many connections the embedded server takes. */
export const MOST_CONNECTIONS = 300;
/** For migrations, the command line, and whoever looks at the database. */
const SPARE = 30;
const FULL: ConnectionShares = { main: 20, locks: 16, jobs: 4 };
const LEAST: ConnectionShares = { main: 2, locks: 1, jobs: 1 };

/** What each of so many processes may take, so that all of them together fit on one embedded server. */
export function connectionShares(processes: number): ConnectionShares {
  const share = Math.floor((MOST_CONNECTIONS - SPARE) / processes);
  const part = (pool: keyof ConnectionShares): number => {
    const whole = FULL.main + FULL.locks + FULL.jobs;
    return Math.min(FULL[pool], Math.max(LEAST[pool], Math.floor((share * FULL[pool]) / whole)));
  };
  return { main: part('main'), locks: part('locks'), jobs: part('jobs') };
}
