import { PROJECT_POLICY, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { Users } from '../../identity/identity.api';
import { AccessibleProjects, Repositories, type Project } from '../../repository/repository.api';
import type { NamedCommit } from './commit-references.queue';

/** A commit that there is. */
export interface FoundCommit {
  readonly project: Project;
  readonly sha: string;
}

/** Looks up in git what texts name. */
@Injectable()
export class NamedCommits {
  constructor(
    private readonly users: Users,
    private readonly projects: AccessibleProjects,
    private readonly repositories: Repositories,
  ) {}

  /** Those whose code the author reads, outside of archived projects, each once; nothing for an author who is gone. */
  async find(authorId: number, named: readonly NamedCommit[], signal: AbortSignal): Promise<FoundCommit[]> {
    const author = await this.users.find(authorId);
    if (!author) return [];
    const actor: Actor = { user: author, level: 0, credential: 'token', scopes: ['api'] };
    const found = new Map<string, FoundCommit>();
    for (const path of new Set(named.map((commit) => commit.path))) {
      const project = await this.readable(actor, path);
      const shas = named.filter((commit) => commit.path === path).map(({ sha }) => sha);
      if (project)
        for (const sha of await this.commitsOf(project, shas, signal))
          found.set(`${project.id} ${sha}`, { project, sha });
    }
    return [...found.values()];
  }

  private async readable(author: Actor, path: string): Promise<Project | null> {
    const found = await this.projects.find(author, path);
    if (!found || found.project.archived) return null;
    return PROJECT_POLICY.download_code(found.actor, found.project) ? found.project : null;
  }

  /** A branch or a tag may be called like a hash: that is not meant. */
  private async commitsOf(project: Project, shas: readonly string[], signal: AbortSignal): Promise<string[]> {
    const repository = this.repositories.open(project, signal);
    const found: string[] = [];
    for (const written of shas) {
      signal.throwIfAborted();
      const sha = await repository.resolve(written);
      if (sha?.startsWith(written) && (await repository.commit(sha))) found.push(sha);
    }
    return found;
  }
}
