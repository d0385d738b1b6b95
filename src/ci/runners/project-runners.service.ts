import { isAdmin, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, invalid, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { filterOf } from './runner-filter';
import type { ListRunners } from './runner.params';
import type { Runner } from './runner.entity';
import { RunnersRepository } from './runners.repository';
import { Runners } from './runners.service';

/** Which runners serve a project. */
@Injectable()
export class ProjectRunners {
  constructor(
    private readonly database: Database,
    private readonly runners: Runners,
    private readonly rows: RunnersRepository,
  ) {}

  list(project: Project, params: ParamsOf<typeof ListRunners>, page: PageRequest): Promise<Page<Runner>> {
    return this.rows.forProject(project.id, filterOf(params), page);
  }

  /**
   * Gives a project's runner to another one too. One of the whole installation then serves this project alone.
   * Throws 404, 403 for whoever does not look after the runner, `validation` where it serves the project already.
   */
  async enable(actor: Actor, project: Project, runnerId: number): Promise<Runner> {
    return this.database.transaction(async () => {
      const runner = await this.rows.hold(runnerId);
      if (!runner) throw notFound('Runner');
      if (runner.kind === 'group') throw forbidden('Runner is a group runner');
      if (!isAdmin(actor)) {
        if (runner.locked) throw forbidden('Runner is locked');
        await this.runners.requireOwner(actor, runner);
      }
      if (!(await this.rows.serveProject(runner.id, project.id)))
        throw invalid({ runner: ['has already been taken'] });
      runner.kind = 'project';
      return this.rows.save(runner);
    });
  }

  /** Throws 404 where it does not serve the project, 403 where it serves no other. */
  async disable(project: Project, runnerId: number): Promise<void> {
    await this.database.transaction(async () => {
      const runner = await this.rows.hold(runnerId);
      if (!runner || !(await this.rows.leaveProject(runnerId, project.id))) throw notFound('Runner');
      if ((await this.rows.countProjects(runnerId)) === 0)
        throw forbidden('Only one project associated with the runner. Please remove the runner instead');
    });
  }
}
