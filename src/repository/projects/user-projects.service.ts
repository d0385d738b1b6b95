import { isAdmin, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { pageOf, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Namespaces, Users, type User } from '../../identity/identity.api';
import type { ProjectDetails } from './project-details';
import type { ListProjectsOfUser, ListStarredProjects } from './project.params';
import { ProjectsService } from './projects.service';

/** Projects by the people they have to do with. */
@Injectable()
export class UserProjects {
  constructor(
    private readonly users: Users,
    private readonly namespaces: Namespaces,
    private readonly projects: ProjectsService,
  ) {}

  /** Those in the user's own namespace. Throws "404 User Not Found". */
  async owned(
    actor: Actor,
    params: ParamsOf<typeof ListProjectsOfUser>,
    page: PageRequest,
  ): Promise<Page<ProjectDetails>> {
    const user = await this.find(params.user_id);
    const namespace = await this.namespaces.find(user.username);
    return namespace?.ownerId === user.id
      ? this.projects.listInNamespace(actor, namespace.id, params, page)
      : pageOf<ProjectDetails>([], page);
  }

  /** Those the user has starred; of a private profile others see none. Throws "404 User Not Found". */
  async starred(
    actor: Actor,
    params: ParamsOf<typeof ListStarredProjects>,
    page: PageRequest,
  ): Promise<Page<ProjectDetails>> {
    const user = await this.find(params.user_id);
    const isShown = !user.privateProfile || actor.user?.id === user.id || isAdmin(actor);
    return isShown
      ? this.projects.listStarredBy(actor, user.id, params, page)
      : pageOf<ProjectDetails>([], page);
  }

  private async find(idOrUsername: number | string): Promise<User> {
    const user = await this.users.find(idOrUsername);
    if (!user) throw notFound('User');
    return user;
  }
}
