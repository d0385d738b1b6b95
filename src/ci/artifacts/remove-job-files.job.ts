import { JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { JobFiles } from './job-files';
import { jobFileRemovals, type PlacesToRemove } from './job-file-removals.queue';

/** Frees the disk of logs and artifacts whose rows are gone. Idempotent. */
@Injectable()
export class RemoveJobFiles extends JobHandler<PlacesToRemove> {
  readonly queue = jobFileRemovals;

  constructor(private readonly files: JobFiles) {
    super();
  }

  async run({ places }: PlacesToRemove, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    for (const place of places) {
      signal.throwIfAborted();
      await this.files.remove(place);
    }
  }
}
