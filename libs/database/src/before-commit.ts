import type { QueryRunner } from 'typeorm';

/** Something that a transaction does last. */
export interface LastAction {
  /** Those of several are run in the order of their places. */
  readonly place: number;
  run(): Promise<void>;
}

/** What is to happen right before the transaction of a connection is committed. */
const waiting = new WeakMap<QueryRunner, LastAction[]>();

/** Begins to collect for a transaction that has just begun. */
export function collectLastFor(runner: QueryRunner | undefined): LastAction[] {
  const actions: LastAction[] = [];
  if (runner) waiting.set(runner, actions);
  return actions;
}

/** False when no transaction of this connection collects. */
export function collectLast(runner: QueryRunner, action: LastAction): boolean {
  const actions = waiting.get(runner);
  actions?.push(action);
  return actions !== undefined;
}

/** Runs what was collected, in the transaction: a failure undoes all of it. */
export async function runInOrder(actions: readonly LastAction[]): Promise<void> {
  for (const action of actions.toSorted((a, b) => a.place - b.place)) await action.run();
}
