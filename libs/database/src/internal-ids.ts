import { Injectable } from '@nestjs/common';
import { Database } from './database';

/** What is numbered from 1 in its own right: the issues of one project, the milestones of one group. */
export interface Sequence {
  readonly scopeKind: 'project' | 'group';
  readonly scopeId: number;
  /** Plural of what is numbered, "issues". */
  readonly usage: string;
}

const KEY = [
  'INSERT INTO internal_ids (scope_kind, scope_id, usage, last_value) VALUES ($1, $2, $3, $4)',
  'ON CONFLICT (scope_kind, scope_id, usage) DO UPDATE SET last_value =',
].join(' ');
const NEXT = `${KEY} internal_ids.last_value + 1 RETURNING last_value`;
const RESERVE = `${KEY} greatest(internal_ids.last_value, excluded.last_value) RETURNING last_value`;

/** The numbers (`iid`) that records have within their project or group. A number once given is never given again. */
@Injectable()
export class InternalIds {
  constructor(private readonly database: Database) {}

  /**
   * The next number. Call it in the transaction that inserts the record: others of the same sequence wait until
   * its end, and a rollback gives the number back before anybody saw it.
   */
  next(sequence: Sequence): Promise<number> {
    return this.set('next_internal_id', NEXT, sequence, 1);
  }

  /** Marks a number chosen by somebody else (an import) as given; the next ones come after it. */
  async reserve(sequence: Sequence, value: number): Promise<void> {
    await this.set('reserve_internal_id', RESERVE, sequence, value);
  }

  private async set(name: string, text: string, { scopeKind, scopeId, usage }: Sequence, value: number) {
    const values = [scopeKind, scopeId, usage, value];
    const [row] = await this.database.prepared<{ last_value: number }>(name, text, values);
    if (!row) throw new Error('the statement always gives a row');
    return row.last_value;
  }
}
