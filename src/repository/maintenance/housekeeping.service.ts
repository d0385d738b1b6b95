import { Database } from '#libs/database';
import { conflict } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { HousekeepingRepository } from './housekeeping.repository';
import { maintenance } from './upkeep.queues';

/** Has repositories packed on demand. */
@Injectable()
export class Housekeeping {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly housekeepings: HousekeepingRepository,
  ) {}

  /** Queues it with the note that it was asked for, both or neither. Throws 409 where it was within the hour. */
  start({ id }: Project): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.housekeepings.begin(id)))
        throw conflict('Somebody already triggered housekeeping for this project in the past 60 minutes');
      await this.jobs.enqueue(maintenance, { projectId: id }, { key: String(id) });
    });
  }
}
