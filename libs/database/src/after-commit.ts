import { Logger } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';

export type AfterCommitAction = () => void | Promise<void>;

const logger = new Logger('AfterCommit');

/** What is to happen once the transaction of a connection is committed. */
const waiting = new WeakMap<QueryRunner, AfterCommitAction[]>();

/** Begins to collect for a transaction that has just begun. */
export function collectFor(runner: QueryRunner | undefined): AfterCommitAction[] {
  const actions: AfterCommitAction[] = [];
  if (runner) waiting.set(runner, actions);
  return actions;
}

/** False when no transaction of this connection collects. */
export function collect(runner: QueryRunner, action: AfterCommitAction): boolean {
  const actions = waiting.get(runner);
  actions?.push(action);
  return actions !== undefined;
}

/** Runs what was collected, in order. The change is committed: a failure is logged and undoes nothing. */
export async function runAll(actions: readonly AfterCommitAction[]): Promise<void> {
  for (const action of actions) {
    try {
      await action();
    } catch (error) {
      logger.error({ err: error }, 'an action after a commit failed');
    }
  }
}
