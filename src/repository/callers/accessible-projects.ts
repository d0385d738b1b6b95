import { PROJECT_POLICY, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { CallerResolver } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';

export interface AccessibleProject {
  readonly project: Project;
  /** The same caller, with their level in this project. */
  readonly actor: Actor;
}

/** Projects that a request names besides the one in its path. */
@Injectable()
export class AccessibleProjects {
  constructor(private readonly resolver: CallerResolver) {}

  /** Throws "404 Project Not Found" both where there is none and where the caller may not see it. */
  async require(actor: Actor, idOrPath: number | string): Promise<AccessibleProject> {
    const found = await this.find(actor, idOrPath);
    if (!found) throw notFound('Project');
    return found;
  }

  /** Null in both cases. */
  async find(actor: Actor, idOrPath: number | string): Promise<AccessibleProject | null> {
    const caller = actor.user ? { by: 'name' as const, idOrUsername: String(actor.user.id) } : null;
    const { project, level } = await this.resolver.resolve(caller, { kind: 'project', id: idOrPath });
    const there: Actor = { ...actor, level };
    return project && PROJECT_POLICY.reader(there, project) ? { project, actor: there } : null;
  }
}
