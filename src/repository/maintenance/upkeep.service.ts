import { Database } from '#libs/database';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FIGURES_DELAY_MS, upkeepAfter } from './upkeep.queues';

const MOST_PROJECTS = 10_000;

/** Queues what has to follow writes to repositories. */
@Injectable()
export class Upkeep {
  /** Projects whose counting this process has queued, for as long as it cannot have begun. */
  private readonly queued = new LRUCache<number, true>({ max: MOST_PROJECTS, ttl: FIGURES_DELAY_MS / 2 });

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  /** Whether a write now needs nothing queued, but for the packing that one in many brings about. */
  isUnderWay(projectId: number): boolean {
    return this.queued.has(projectId);
  }

  /**
   * In the transaction that records the `writes`-th write since the project was packed. The refs have moved by then,
   * so a counting that is queued and has not begun will see them. Where the counting is under way it may also follow
   * the transaction: a packing that a crash in between swallows comes with the next many writes.
   */
  async follow(projectId: number, writes: number): Promise<void> {
    const { counting, packing } = upkeepAfter(projectId, writes);
    const isQueued = this.queued.has(projectId);
    await this.jobs.enqueueAll([...(isQueued ? [] : [counting]), ...packing]);
    if (!isQueued) await this.database.afterCommit(() => void this.queued.set(projectId, true));
  }
}
