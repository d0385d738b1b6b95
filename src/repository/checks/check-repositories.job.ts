import { Git } from '#libs/git';
import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { License } from '#libs/tiers';
import { Injectable, Logger } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository';
import { Repositories } from '../storages/repositories';
import { wikiOf } from '../wikis/wiki-repositories';
import { RepositoryChecksRepository, type DueCheck } from './repository-checks.repository';

const verification = defineQueue('repository.check', {
  expireInSeconds: 2 * 60 * 60,
  everyMinutes: 60,
});

/** What is left after this time waits for the next run. */
const LONGEST_RUN_MS = 50 * 60_000;

/**
 * Verifies repositories one after another: those written to since, and each once a week. The sum over the refs tells
 * whether there is anything new to look at; objects are looked for where there is. Idempotent.
 */
@Injectable()
export class CheckRepositories extends JobHandler {
  readonly queue = verification;
  private readonly logger = new Logger(CheckRepositories.name);

  constructor(
    private readonly checks: RepositoryChecksRepository,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly git: Git,
    private readonly license: License,
  ) {
    super();
  }

  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    if (!this.license.has('checksum_filters')) return;
    const end = Date.now() + LONGEST_RUN_MS;
    while (!signal.aborted && Date.now() < end) {
      const due = await this.checks.take();
      if (!due) return;
      await this.check(due, signal);
    }
  }

  /** One that cannot be looked at now keeps none of the others waiting. */
  private async check(due: DueCheck, signal: AbortSignal): Promise<void> {
    const { projectId, kind, wholeWith } = due;
    const project = await this.projects.find(projectId);
    if (!project) return;
    try {
      const location = this.repositories.locate(kind === 'wiki' ? wikiOf(project) : project);
      const { checksum, problem } = await this.git.verify(location, { signal, unless: wholeWith });
      const isThorough = checksum === null || wholeWith === null || !checksum.equals(wholeWith);
      await this.checks.keep(due, { checksum, failure: problem, isThorough });
      if (problem !== null) this.logger.error({ projectId, kind, problem }, 'a repository is not whole');
    } catch (error) {
      if (signal.aborted) throw error;
      this.logger.warn({ err: error, projectId, kind }, 'a repository could not be checked');
    }
  }
}
