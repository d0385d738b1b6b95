import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { conflict, DomainError, invalid, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import type { ProjectDetails } from '../projects/project-details';
import { ProjectFounding, type ProjectPlan } from '../projects/project-founding.service';
import { namingErrors } from '../projects/project-names';
import { ProjectPlaces } from '../projects/project-places.service';
import { withinVisibility } from '../projects/project-visibility';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import { ProjectsService } from '../projects/projects.service';
import { takenErrors } from '../projects/taken-names';
import { forkCopies } from './fork-copy.job';
import { ForkRelationsRepository } from './fork-relations.repository';
import type { ForkProject } from './fork.params';

const FIRST_BRANCH = 'master';

/** Makes copies of projects: the project at once, what is in its repository in the background. */
@Injectable()
export class ForkCreation {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly places: ProjectPlaces,
    private readonly founding: ProjectFounding,
    private readonly relations: ForkRelationsRepository,
    private readonly jobs: Jobs,
    private readonly details: ProjectsService,
  ) {}

  /**
   * Throws "404 Project Not Found" for whoever may not read the code, "404 Target Namespace Not Found" where they may not
   * make projects, 409 where a name is taken there, and `validation` for names that no project can have.
   */
  async fork(actor: Actor, source: Project, params: ParamsOf<typeof ForkProject>): Promise<ProjectDetails> {
    const user = signedIn(actor);
    if (!PROJECT_POLICY.download_code(actor, source)) throw notFound('Project');
    const target = params.namespace ?? params.namespace_id ?? params.namespace_path ?? user.username;
    const namespace = await this.places.find(user, target);
    if (!namespace) throw notFound('Target Namespace');
    const names = { name: params.name?.trim() ?? source.name, path: params.path ?? source.path };
    const errors = namingErrors(names);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    const taken = await this.projects.taken(namespace.id, names, null);
    if (taken.name || taken.path) throw conflict(takenErrors(taken));
    const plan = { ...copiedSettings(source, namespace), ...names };
    const fork = await this.founding
      .found(user, namespace, plan, (id) => this.follow(id, source.id))
      .catch((error: unknown) => {
        throw asConflict(error);
      });
    return this.details.describe(actor, fork);
  }

  private async follow(forkId: number, sourceId: number): Promise<void> {
    const visibility = await this.relations.attach(forkId, sourceId);
    if (visibility === null) throw notFound('Project');
    // The source may have been hidden since it was looked at, when this fork was none of its forks yet.
    await this.relations.lowerVisibility(forkId, visibility);
    await this.jobs.enqueue(forkCopies, { projectId: forkId, sourceId }, { key: String(forkId) });
  }
}

/** A fork shows itself, and the code, to nobody at large to whom its source does not show them. */
const copiedSettings = (source: Project, namespace: Namespace): Omit<ProjectPlan, 'name' | 'path'> => ({
  description: source.description,
  visibility: withinVisibility(
    source.visibility,
    namespace.kind === 'group' ? namespace.visibility : 'public',
  ),
  repositoryAccess: source.repositoryAccess,
  jobsAccess: source.jobsAccess,
  sharedRunnersEnabled: source.sharedRunnersEnabled,
  lfsEnabled: source.lfsEnabled,
  ciConfigPath: source.ciConfigPath,
  tagList: source.tagList,
  importStatus: 'started',
  firstBranch: source.defaultBranch ?? FIRST_BRANCH,
  withReadme: false,
});

/** What somebody else was faster with. */
const asConflict = (error: unknown): unknown =>
  error instanceof DomainError && error.detail.kind === 'validation' ? conflict(error.detail.errors) : error;
