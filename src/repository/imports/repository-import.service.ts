import { signedIn, type Actor } from '#libs/access';
import { badRequest } from '#libs/errors';
import { Git, ZERO_SHA, type GitReader, type RefUpdate } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Namespaces } from '../../identity/identity.api';
import { branchRef, RefMoves, tagRef } from '../changes/ref-moves.service';
import { ProjectCreation } from '../projects/project-creation.service';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';

/** A bare repository on this machine that becomes a project. */
export interface RepositoryToImport {
  /** Absolute path. */
  readonly source: string;
  /** Full path of the user's or group's namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly visibility: Project['visibility'];
}

/** Makes projects of repositories that exist already: all branches and tags with their history. */
@Injectable()
export class RepositoryImport {
  constructor(
    private readonly git: Git,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
    private readonly namespaces: Namespaces,
    private readonly creation: ProjectCreation,
  ) {}

  /** Throws `bad_request` for a source that is no repository, and what creating the project throws. */
  async run(actor: Actor, { source, namespace, name, visibility }: RepositoryToImport): Promise<Project> {
    const from = this.git.open({ path: source });
    const head = await from.headBranch().catch((error: unknown) => {
      throw badRequest(
        `${source} is no repository: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    const owner = await this.namespaces.find(namespace);
    if (!owner) throw badRequest(`there is no namespace ${namespace}`);
    const updates = await refsOf(from);
    const { project } = await this.creation.create(actor, {
      name,
      visibility,
      namespace_id: owner.id,
      initialize_with_readme: false,
      ...(head !== null && { default_branch: head }),
    });
    await this.copy(actor, project, source, updates);
    return project;
  }

  private async copy(
    actor: Actor,
    project: Project,
    source: string,
    updates: readonly RefUpdate[],
  ): Promise<void> {
    if (updates.length === 0) return;
    const shas = [...new Set(updates.map(({ newSha }) => newSha))];
    await this.repositories.open(project).fetchObjects({ path: source }, shas);
    await this.moves.locked(project, () => this.moves.move(project, signedIn(actor), updates));
  }
}

async function refsOf(repository: GitReader): Promise<RefUpdate[]> {
  const [branches, tags] = await Promise.all([repository.branches(), repository.tags()]);
  return [
    ...branches.map(({ name, sha }) => ({ ref: branchRef(name), oldSha: ZERO_SHA, newSha: sha })),
    ...tags.map(({ name, target }) => ({ ref: tagRef(name), oldSha: ZERO_SHA, newSha: target })),
  ];
}
