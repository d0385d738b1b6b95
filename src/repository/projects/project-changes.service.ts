import { atLeast, signedIn, type Actor, type Visibility } from '#libs/access';
import { Database, uniqueViolation } from '#libs/database';
import { forbidden, invalid, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { Namespaces } from '../../identity/identity.api';
import { DefaultBranches } from './default-branches.service';
import { attributesOf, type ProjectAttributes } from './project-attributes';
import { FurtherSettings, type FurtherChange } from './further-settings.service';
import type { ProjectDetails } from './project-details';
import { namingErrors } from './project-names';
import type { Project } from './project.entity';
import type { UpdateProject } from './project.params';
import { ProjectsRepository } from './projects.repository';
import { forkVisibilityErrors, visibilityErrors } from './project-visibility';
import { ProjectsService } from './projects.service';
import { requireFreeNames, takenError } from './taken-names';

type UpdateParams = ParamsOf<typeof UpdateProject>;

/** Changes the settings of projects. */
@Injectable()
export class ProjectChanges {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly namespaces: Namespaces,
    private readonly defaultBranches: DefaultBranches,
    private readonly details: ProjectsService,
    private readonly further: FurtherSettings,
  ) {}

  /** All of the changes or none. Answers the project as it then is. */
  async update(actor: Actor, project: Project, params: UpdateParams): Promise<ProjectDetails> {
    requireRight(actor, project, params);
    const name = params.name?.trim();
    const { path } = params;
    await this.requireValid(project, { name, path }, params);
    const further = await this.further.ofChange(signedIn(actor), project, params);
    const changes: ProjectAttributes = {
      ...attributesOf(params),
      ...further.attributes,
      ...(name !== undefined && { name }),
      ...(path !== undefined && { path }),
      ...(params.archived !== undefined && { archived: params.archived }),
    };
    await this.apply(project, changes, params.default_branch, further);
    return this.describeAnew(actor, project);
  }

  /** Archived projects are read-only. Does nothing for one that is as wished already. */
  async archive(actor: Actor, project: Project, archived: boolean): Promise<ProjectDetails> {
    if (project.archived !== archived) await this.write(project, { archived });
    return this.describeAnew(actor, project);
  }

  private async describeAnew(actor: Actor, { id }: Project): Promise<ProjectDetails> {
    const changed = await this.projects.find(id);
    if (!changed) throw notFound('Project');
    return this.details.describe(actor, changed);
  }

  private async apply(
    project: Project,
    changes: ProjectAttributes,
    defaultBranch: string | undefined,
    further: FurtherChange,
  ): Promise<void> {
    try {
      await (defaultBranch === undefined || defaultBranch === project.defaultBranch
        ? this.write(project, changes, further)
        : this.defaultBranches.change(project, defaultBranch, () => this.write(project, changes, further)));
    } catch (error) {
      if (uniqueViolation(error) === null) throw error;
      throw takenError(await this.projects.taken(project.namespaceId, changes, project.id), error);
    }
  }

  private write(project: Project, changes: ProjectAttributes, further?: FurtherChange): Promise<void> {
    return this.database.transaction(async () => {
      if (further) await this.further.hold(project.id, further);
      if (changes.visibility !== undefined || changes.path !== undefined)
        await this.holdNamespace(project, changes);
      if (changes.visibility !== undefined) await this.holdFamily(project, changes.visibility);
      if (Object.keys(changes).length > 0) await this.projects.update(project.id, changes);
      if (further) await this.further.keep(project.id, further);
    });
  }

  /** The group may be renamed, hidden or deleted at the same moment. */
  private async holdNamespace({ namespaceId }: Project, { visibility }: ProjectAttributes): Promise<void> {
    const namespace = await this.namespaces.hold(namespaceId);
    if (!namespace) throw notFound('Project');
    const errors = visibilityErrors(visibility ?? 'private', namespace.kind === 'group' ? namespace : null);
    if (Object.keys(errors).length > 0) throw invalid(errors);
  }

  /** The source may be hidden at the same moment. */
  private async holdFamily({ id }: Project, visibility: Visibility): Promise<void> {
    const errors = forkVisibilityErrors(visibility, await this.projects.holdFamily(id));
    if (Object.keys(errors).length > 0) throw invalid(errors);
  }

  private async requireValid(
    project: Project,
    names: { name: string | undefined; path: string | undefined },
    { visibility }: UpdateParams,
  ): Promise<void> {
    const group =
      visibility !== undefined && project.namespace.kind === 'group'
        ? await this.namespaces.find(project.namespaceId)
        : null;
    const errors = {
      ...namingErrors(names),
      ...visibilityErrors(visibility ?? project.visibility, group),
    };
    if (Object.keys(errors).length > 0) throw invalid(errors);
    await requireFreeNames(this.projects, project.namespaceId, names, project.id);
  }
}

/** Maintainers change settings; what others know the project by, and who sees it, is its owners' to change. */
function requireRight(
  actor: Actor,
  project: Project,
  { name, path, visibility, archived }: UpdateParams,
): void {
  const asksOwner = [name, path, visibility, archived].some((value) => value !== undefined);
  if (asksOwner && !atLeast('owner')(actor, project)) throw forbidden();
}
