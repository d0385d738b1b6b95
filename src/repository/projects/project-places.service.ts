import { Level, type ActorUser } from '#libs/access';
import { forbidden } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { Namespaces, type Namespace } from '../../identity/identity.api';
import { ProjectsRepository } from './projects.repository';

/** Where users may put projects: into their own namespace, and into groups of which they are maintainers. */
@Injectable()
export class ProjectPlaces {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly projects: ProjectsRepository,
  ) {}

  /**
   * The namespace, by id or full path; null where it is missing or none of the user's to put projects into. Throws 403
   * where it is the user's own and they have as many projects as they may.
   */
  async find(user: ActorUser, idOrPath: number | string): Promise<Namespace | null> {
    const namespace = await this.namespaces.find(idOrPath);
    if (!namespace || !(await this.mayUse(user, namespace))) return null;
    if (namespace.ownerId === user.id) await this.requireRoom(user, namespace);
    return namespace;
  }

  private async mayUse(user: ActorUser, namespace: Namespace): Promise<boolean> {
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
