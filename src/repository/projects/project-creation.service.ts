import { signedIn, type Actor, type ActorUser } from '#libs/access';
import { invalid, notFound } from '#libs/errors';
import { isBranchName } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { Users, type Namespace } from '../../identity/identity.api';
import { attributesOf } from './project-attributes';
import { FurtherSettings } from './further-settings.service';
import type { ProjectDetails } from './project-details';
import { ProjectFounding } from './project-founding.service';
import { namingErrors, pathFromName } from './project-names';
import { ProjectPlaces } from './project-places.service';
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
    private readonly places: ProjectPlaces,
    private readonly users: Users,
    private readonly founding: ProjectFounding,
    private readonly details: ProjectsService,
    private readonly further: FurtherSettings,
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
    const further = await this.further.ofNew(user, params);
    const plan = {
      ...attributesOf(params),
      ...further.attributes,
      ...names,
      firstBranch: params.default_branch ?? FIRST_BRANCH,
      // What is to be imported begins with nothing of its own.
      withReadme: params.initialize_with_readme && !further.remote.begins,
    };
    const project = await this.founding.found(user, namespace, plan, (id) => this.further.keep(id, further));
    return this.details.describe(actor, project);
  }

  /** Throws the same for a namespace that is missing, hidden, or none of the user's to create in. */
  private async requireNamespace(user: ActorUser, id: number | undefined): Promise<Namespace> {
    const namespace = await this.places.find(user, id ?? user.username);
    if (!namespace) throw invalid({ namespace: ['is not valid'] });
    return namespace;
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
