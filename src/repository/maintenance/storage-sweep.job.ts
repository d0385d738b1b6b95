import { Git } from '#libs/git';
import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { Storages } from '../storages/storages';

const DAY_MINUTES = 24 * 60;
const TWO_HOURS = 2 * 60 * 60;

const sweep = defineQueue<object>('repository.sweep_storages', {
  expireInSeconds: TWO_HOURS,
  everyMinutes: DAY_MINUTES,
  onePerKey: true,
});

/** Frees the disk of half-made and half-removed repositories of processes that were killed. Idempotent. */
@Injectable()
export class StorageSweep extends JobHandler {
  readonly queue = sweep;
  private readonly logger = new Logger(StorageSweep.name);

  constructor(
    private readonly git: Git,
    private readonly storages: Storages,
  ) {
    super();
  }

  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    for (const { name, directory } of this.storages.all()) {
      const removed = await this.git.sweep(directory, signal);
      if (removed > 0) this.logger.log({ storage: name, removed }, 'abandoned repositories were removed');
    }
  }
}
