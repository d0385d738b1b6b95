import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { UploadStorage } from './upload-storage';
import { UploadsRepository } from './uploads.repository';

const DAY_MINUTES = 24 * 60;
const BATCH = 100;
/** What is left waits for the next day. */
const MOST_BATCHES = 10_000;

const sweep = defineQueue('repository.sweep_uploads', {
  expireInSeconds: 60 * 60,
  everyMinutes: DAY_MINUTES,
});

/** Frees the disk of files that processes have died over. Idempotent. */
@Injectable()
export class AbandonedUploads extends JobHandler {
  readonly queue = sweep;
  private readonly logger = new Logger(AbandonedUploads.name);

  constructor(
    private readonly uploads: UploadsRepository,
    private readonly storage: UploadStorage,
  ) {
    super();
  }

  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    let last = 0;
    let removed = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const found = await this.uploads.abandoned(last, BATCH);
      for (const upload of found) {
        signal.throwIfAborted();
        // The row last: as long as it is there, the file is found again.
        await this.storage.remove(upload);
        await this.uploads.forget(upload.id);
        last = upload.id;
        removed += 1;
      }
      if (found.length < BATCH) break;
    }
    if (removed > 0) this.logger.log({ removed }, 'abandoned uploads were removed');
  }
}
