import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { NamespaceContents } from '../../identity/identity.api';
import { ForkRelationsRepository } from '../forks/fork-relations.repository';
import { GroupProjectsRepository } from './group-projects.repository';
import { ProjectRemoval } from './project-removal.service';
import { ProjectsRepository } from './projects.repository';

/** Takes the projects out of namespaces that are to be removed. */
@Injectable()
export class ProjectsOfNamespaces extends NamespaceContents {
  constructor(
    private readonly database: Database,
    private readonly found: GroupProjectsRepository,
    private readonly projects: ProjectsRepository,
    private readonly removal: ProjectRemoval,
    private readonly forks: ForkRelationsRepository,
  ) {
    super();
  }

  async removeSome(namespaceId: number, limit: number, signal: AbortSignal): Promise<number> {
    const ids = await this.found.someIn(namespaceId, limit);
    for (const id of ids) {
      signal.throwIfAborted();
      if (await this.markDeleted(namespaceId, id)) await this.removal.remove(id, null);
    }
    return ids.length;
  }

  private markDeleted(namespaceId: number, projectId: number): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.forks.holdWithSource(projectId);
      const isThere = await this.found.holdIn(namespaceId, projectId);
      if (isThere) await this.projects.markDeleted(projectId);
      return isThere;
    });
  }
}
