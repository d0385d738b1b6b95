import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { SealedTexts } from '../../identity/identity.api';
import type { HookChain } from './hook-chain';
import { HookDelivery } from './hook-delivery.entity';
import type { HookKindName } from './hook-kinds';

/** One occurrence that some hooks are to be told of. */
export interface Occurrence {
  readonly name: string;
  readonly kind: HookKindName;
  /** JSON. */
  readonly body: string;
  /** The hooks that led to it; null where none did. */
  readonly chain: HookChain | null;
}

export type InsertedDelivery = {
  readonly id: number;
  /** The hook's receiver gave no answer the last time. */
  readonly isToSilence: boolean;
};

/** What has become of one attempt. */
export type Outcome = Partial<
  Pick<HookDelivery, 'responseStatus' | 'responseHeaders' | 'responseBody' | 'error'>
> &
  Pick<HookDelivery, 'requestHeaders' | 'durationMs'> & {
    readonly url: string;
    readonly isFinal: boolean;
  };

const URLS = 'urls of deliveries';
/** Larger bodies were sent whole and are not shown: a page of the log has up to a hundred of them. */
const LONGEST_SHOWN_BODY = 64 * 1024;

@Injectable()
export class HookDeliveriesRepository {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedTexts,
  ) {}

  /** The latest first. */
  async page(hookId: number, request: PageRequest): Promise<Page<HookDelivery>> {
    const query = this.database.manager
      .createQueryBuilder(HookDelivery, 'delivery')
      .where('delivery.hookId = :hookId', { hookId })
      .orderBy('delivery.id', 'DESC');
    const page = await paginate(query, request);
    return { ...page, rows: page.rows.map((delivery) => this.shown(delivery)) };
  }

  /** One to be made or tried again, after so many attempts; null where somebody else has done that already. */
  findWaiting(id: number, attempts: number): Promise<HookDelivery | null> {
    const query = this.database.manager
      .createQueryBuilder(HookDelivery, 'delivery')
      .where('delivery.id = :id AND delivery.attempts = :attempts', { id, attempts })
      .andWhere('delivery.finishedAt IS NULL');
    return query.getOne();
  }

  /** Answers the new ones: none for hooks that were told of this occurrence before. */
  async insert(
    hookIds: readonly number[],
    { name, kind, body, chain }: Occurrence,
  ): Promise<readonly InsertedDelivery[]> {
    return this.database.prepared<InsertedDelivery>(
      'insert_hook_deliveries',
      `INSERT INTO hook_deliveries (hook_id, occurrence, kind, request_body, root, earlier_hook_ids)
       SELECT hook.id, $2, $3, $4, $5, $6::bigint[] FROM project_hooks hook WHERE hook.id = ANY($1::bigint[])
       ORDER BY hook.id ON CONFLICT (hook_id, occurrence) DO NOTHING
       RETURNING id, coalesce((
         SELECT earlier.response_status IS NULL FROM hook_deliveries earlier
         WHERE earlier.hook_id = hook_deliveries.hook_id AND earlier.finished_at IS NOT NULL
         ORDER BY earlier.id DESC LIMIT 1), false) AS "isToSilence"`,
      [hookIds, name, kind, body, chain?.root ?? name, chain?.hookIds ?? []],
    );
  }

  /** How many calls were made, or are to be, because of calls that began with this occurrence; counted up to `most`. */
  async countInChain(root: string, most: number): Promise<number> {
    const [row] = await this.database.prepared<{ count: number }>(
      'count_hook_deliveries_of_chain',
      `SELECT count(*)::int AS count FROM (
         SELECT 1 FROM hook_deliveries WHERE root = $1 AND earlier_hook_ids <> '{}' LIMIT $2) AS found`,
      [root, most],
    );
    return row?.count ?? 0;
  }

  /** Writes down an attempt; false where somebody else has made it. */
  async record(id: number, attempt: number, { url, isFinal, ...outcome }: Outcome): Promise<boolean> {
    const changed = await this.database.manager.update(
      HookDelivery,
      { id, attempts: attempt - 1 },
      {
        responseStatus: null,
        error: null,
        ...outcome,
        attempts: attempt,
        sealedUrl: this.sealed.seal(URLS, url),
        finishedAt: isFinal ? new Date() : null,
      },
    );
    return changed.affected === 1;
  }

  /** Gives a delivery up that could not even be tried. */
  async giveUp(id: number, error: string): Promise<void> {
    await this.database.manager.update(HookDelivery, { id }, { error, finishedAt: new Date() });
  }

  /** Deletes at most `most` that are older than so many days; answers how many. */
  async clear(olderThanDays: number, most: number): Promise<number> {
    const rows = await this.database.prepared(
      'clear_hook_deliveries',
      `DELETE FROM hook_deliveries WHERE id IN (
         SELECT id FROM hook_deliveries WHERE created_at < now() - make_interval(days => $1)
         ORDER BY created_at LIMIT $2) RETURNING id`,
      [olderThanDays, most],
    );
    return rows.length;
  }

  private shown(delivery: HookDelivery): HookDelivery {
    delivery.url = delivery.sealedUrl && this.sealed.open(URLS, delivery.sealedUrl);
    if (delivery.requestBody.length > LONGEST_SHOWN_BODY) delivery.requestBody = '';
    return delivery;
  }
}
