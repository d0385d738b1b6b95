import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { RefMoves } from '../../repository/repository.api';
import { MergeAttemptsRepository, type BegunAttempt } from './merge-attempts.repository';
import { MergeRecovery } from './merge-recovery.service';
import { SourceBranchRemoval } from './source-branch-removal.service';

const recoveries = defineQueue<object>('collaboration.recover_merges', {
  expireInSeconds: 300,
  everyMinutes: 1,
  onePerKey: true,
});

/** What a live request began it ends itself, in most cases within this time. */
const LEFT_ALONE_SECONDS = 60;
const AT_ONCE = 100;
/** A repository that is busy now is looked at again in the next run. */
const LOCK_TIMEOUT_MS = 2_000;

/** Finds merges that were begun and never ended, because a process died in between. Idempotent. */
@Injectable()
export class RecoverMerges extends JobHandler {
  readonly queue = recoveries;
  private readonly logger = new Logger(RecoverMerges.name);

  constructor(
    private readonly attempts: MergeAttemptsRepository,
    private readonly recovery: MergeRecovery,
    private readonly moves: RefMoves,
    private readonly removal: SourceBranchRemoval,
  ) {
    super();
  }

  /** Those that cannot be settled now keep none of the others waiting. */
  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    let afterId = 0;
    let page: readonly BegunAttempt[];
    do {
      page = await this.attempts.olderThan(LEFT_ALONE_SECONDS, afterId, AT_ONCE);
      for (const { mergeRequestId, projectId } of page) {
        if (signal.aborted) return;
        await this.tryRecovering(mergeRequestId, projectId);
        afterId = mergeRequestId;
      }
    } while (page.length === AT_ONCE);
  }

  private async tryRecovering(mergeRequestId: number, projectId: number): Promise<void> {
    try {
      await this.recover(mergeRequestId, projectId);
    } catch (error) {
      this.logger.warn({ err: error, mergeRequestId }, 'a merge could not be settled yet');
    }
  }

  private async recover(mergeRequestId: number, projectId: number): Promise<void> {
    const settle = () => this.recovery.settle(mergeRequestId);
    const done = await this.moves.locked({ id: projectId }, settle, LOCK_TIMEOUT_MS);
    if (done) await this.removal.remove(done.project, done.merged);
  }
}
