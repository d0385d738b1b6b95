import { Level, signedIn, type Actor, type ActorUser } from '#libs/access';
import { forbidden, invalid, notFound } from '#libs/errors';
import { isBranchName } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { Namespaces, Users, type Namespace } from '../../identity/identity.api';
import { attributesOf } from './project-attributes';
import type { ProjectDetails } from './project-details';
import { ProjectFounding } from './project-founding.service';
import { namingErrors, pathFromName } from './project-names';
import type { CreateProject, CreateProjectForUser } from './project.params';
import { ProjectsRepository } from './projects.repository';
import { visibilityErrors } from './project-visibility';
import { ProjectsService } from './projects.service';
import { requireFreeNames } from './taken-names';

type CreateParams = ParamsOf<typeof CreateProject>;

const FIRST_BRANCH = 'master';

/** Lets users make projects where they may. */
@Injectable()
export class ProjectCreation {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly namespaces: Namespaces,
    private readonly users: Users,
    private readonly founding: ProjectFounding,
    private readonly details: ProjectsService,
  ) {}

  create(actor: Actor, params: CreateParams): Promise<ProjectDetails> {
    return this.createAs(actor, signedIn(actor), params);
  }

  /** In the name of another user, who becomes the creator. Throws "404 User Not Found". */
  async createFor(actor: Actor, params: ParamsOf<typeof CreateProjectForUser>): Promise<ProjectDetails> {
    const user = await this.users.find(params.user_id);
    if (!user) throw notFound('User');
    return this.createAs(actor, user, params);
  }

  private async createAs(actor: Actor, user: ActorUser, params: CreateParams): Promise<ProjectDetails> {
    const namespace = await this.requireNamespace(user, params.namespace_id);
    const names = namesOf(params);
    requireValid(names, params, namespace);
    await requireFreeNames(this.projects, namespace.id, names, null);
    const project = await this.founding.found(user, namespace, {
      ...attributesOf(params),
      ...names,
      firstBranch: params.default_branch ?? FIRST_BRANCH,
      withReadme: params.initialize_with_readme,
    });
    return this.details.describe(actor, project);
  }

  /** Throws the same for a namespace that is missing, hidden, or none of the user's to create in. */
  private async requireNamespace(user: ActorUser, id: number | undefined): Promise<Namespace> {
    const namespace = await (id === undefined
      ? this.namespaces.find(user.username)
      : this.namespaces.find(id));
    if (!namespace || namespace.pendingDelete || !(await this.mayCreateIn(user, namespace))) {
      throw invalid({ namespace: ['is not valid'] });
    }
    if (namespace.ownerId === user.id) await this.requireRoom(user, namespace);
    return namespace;
  }

  private async mayCreateIn(user: ActorUser, namespace: Namespace): Promise<boolean> {
    return user.isAdmin || (await this.namespaces.levelOf(user.id, namespace)) >= Level.maintainer;
  }

  /** The limit is on projects of one's own; those of groups do not count. */
  private async requireRoom(user: ActorUser, namespace: Namespace): Promise<void> {
    const limit = user.isExternal ? 0 : user.projectsLimit;
    if (limit === 0) {
      throw forbidden(
        'Personal project creation is not allowed. Please contact your administrator with questions',
      );
    }
    if ((await this.projects.countIn(namespace.id)) >= limit) {
      throw forbidden(
        `Your project limit is ${limit} projects! Please contact your administrator to increase it`,
      );
    }
  }
}

function namesOf({ name, path }: CreateParams): { name: string; path: string } {
  const givenName = name?.trim();
  return { name: givenName || path || '', path: path || pathFromName(givenName ?? '') };
}

function requireValid(
  names: { name: string; path: string },
  params: CreateParams,
  namespace: Namespace,
): void {
  const { visibility = 'private', default_branch: branch } = params;
  const errors = {
    ...namingErrors(names),
    ...(branch !== undefined && !isBranchName(branch) ? { default_branch: ['is invalid'] } : {}),
    ...visibilityErrors(visibility, namespace.kind === 'group' ? namespace : null),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
