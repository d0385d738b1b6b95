import { isAdmin, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Job } from '../jobs/job.entity';
import { JobsRepository } from '../jobs/jobs.repository';
import { attributesWith } from './runner-attributes';
import type { RunnerDetails } from './runner-details';
import { filterOf } from './runner-filter';
import type { ListJobsOfRunner, ListRunners, UpdateRunner } from './runner.params';
import type { Runner } from './runner.entity';
import { RunnersRepository } from './runners.repository';

const NO_ACCESS = 'No access granted';

/** What people do with runners. Those of the whole installation are its administrators' business. */
@Injectable()
export class Runners {
  constructor(
    private readonly database: Database,
    private readonly runners: RunnersRepository,
    private readonly jobs: JobsRepository,
  ) {}

  /** Those that the caller looks after. */
  owned(actor: Actor, params: ParamsOf<typeof ListRunners>, page: PageRequest): Promise<Page<Runner>> {
    return this.runners.ownedBy(signedIn(actor).id, filterOf(params), page);
  }

  all(params: ParamsOf<typeof ListRunners>, page: PageRequest): Promise<Page<Runner>> {
    return this.runners.all(filterOf(params), page);
  }

  /** Runners of the whole installation show themselves to everybody. Throws 404 and 403. */
  async show(actor: Actor, id: number): Promise<RunnerDetails> {
    const runner = await this.require(id);
    if (runner.kind !== 'instance') await this.requireOwner(actor, runner);
    return this.details(actor, runner);
  }

  async update(actor: Actor, { id, ...given }: ParamsOf<typeof UpdateRunner>): Promise<RunnerDetails> {
    return this.database.transaction(async () => {
      const runner = await this.runners.hold(id);
      if (!runner) throw notFound('Runner');
      await this.requireOwner(actor, runner);
      Object.assign(runner, attributesWith(runner, given));
      return this.details(actor, await this.runners.save(runner));
    });
  }

  /** What it was running is failed by the background check. */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.database.transaction(async () => {
      const runner = await this.runners.hold(id);
      if (!runner) throw notFound('Runner');
      if (!isAdmin(actor)) {
        if ((await this.runners.countProjects(id)) > 1)
          throw forbidden('Runner associated with more than one project');
        await this.requireOwner(actor, runner);
      }
      await this.runners.remove(id);
    });
  }

  async jobsOf(
    actor: Actor,
    { id, status, sort }: ParamsOf<typeof ListJobsOfRunner>,
    page: PageRequest,
  ): Promise<Page<Job>> {
    const runner = await this.require(id);
    await this.requireOwner(actor, runner);
    return this.jobs.ofRunner(id, status === undefined ? [] : [status], sort, page);
  }

  /** Throws "404 Runner Not Found". */
  async require(id: number): Promise<Runner> {
    const runner = await this.runners.find(id);
    if (!runner) throw notFound('Runner');
    return runner;
  }

  /** Throws 403 for whoever does not look after it. */
  async requireOwner(actor: Actor, { id }: Runner): Promise<void> {
    if (isAdmin(actor)) return;
    if (!(await this.runners.isOwnedBy(id, signedIn(actor).id))) throw forbidden(NO_ACCESS);
  }

  private async details(actor: Actor, runner: Runner): Promise<RunnerDetails> {
    const viewer = isAdmin(actor) ? null : signedIn(actor).id;
    return {
      runner,
      projects: await this.runners.projectsOf(runner.id, viewer),
      groups: await this.runners.groupsOf(runner.id, viewer),
    };
  }
}
