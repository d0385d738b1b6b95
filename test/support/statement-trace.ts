import { Client } from 'pg';

/** A statement as the server was sent it. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What the job queue and the bookkeeping of tokens send on their own account, whatever is asked of the server. */
const IN_BACKGROUND = /pgboss|job_periods|outbox_events|SET last_used_at|SET last_activity_on/;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function statementOf(first: unknown, second: unknown): SentStatement | null {
  if (typeof first === 'string') return { text: first, values: isList(second) ? second : [] };
  if (typeof first !== 'object' || first === null || !('text' in first) || typeof first.text !== 'string')
    return null;
  const values: unknown = 'values' in first ? first.values : second;
  return { text: first.text, values: isList(values) ? values : [] };
}

/** Whatever this process sends to PostgreSQL while `work` runs, but for what happens in the background. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const send: unknown = Reflect.get(Client.prototype, 'query');
  if (typeof send !== 'function') throw new Error('the driver sends by its method query');
  Reflect.set(Client.prototype, 'query', function (this: unknown, ...args: unknown[]): unknown {
    const statement = statementOf(args[0], args[1]);
    if (statement && !IN_BACKGROUND.test(statement.text)) sent.push(statement);
    return Reflect.apply(send, this, args);
  });
  try {
    await work();
  } finally {
    Reflect.set(Client.prototype, 'query', send);
  }
  return sent;
}
