import { defineQueue, JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { SeparatedForks } from './separated-forks';

interface Separation {
  readonly projectId: number;
  readonly actorId: number;
}

export const forkSeparations = defineQueue<Separation>('repository.separate_fork', {
  expireInSeconds: 900,
  retryLimit: 8,
});

/** Ends what went on between a project and those that it is no fork of any more. */
@Injectable()
export class SeparateFork extends JobHandler<Separation> {
  readonly queue = forkSeparations;

  constructor(private readonly separated: SeparatedForks) {
    super();
  }

  run({ projectId, actorId }: Separation): Promise<void> {
    return this.separated.settle(projectId, actorId);
  }
}
