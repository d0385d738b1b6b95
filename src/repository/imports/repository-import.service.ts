import { signedIn, type Actor } from '#libs/access';
import { badRequest } from '#libs/errors';
import { Git, GitProcessError, type RefUpdate } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Namespaces } from '../../identity/identity.api';
import { RefMoves } from '../changes/ref-moves.service';
import { ProjectCreation } from '../projects/project-creation.service';
import { ProjectDeletion } from '../projects/project-deletion.service';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import { creationOfRefs } from './ref-creation';

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
    private readonly deletion: ProjectDeletion,
  ) {}

  /**
   * Throws `bad_request` for a source that is no repository or has objects that a push could not bring, and what
   * creating the project throws. No project stays behind when its repository cannot be copied.
   */
  async run(actor: Actor, { source, namespace, name, visibility }: RepositoryToImport): Promise<Project> {
    const from = this.git.open({ path: source });
    const head = await from.headBranch().catch((error: unknown) => {
      throw badRequest(
        `${source} is no repository: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    const owner = await this.namespaces.find(namespace);
    if (!owner) throw badRequest(`there is no namespace ${namespace}`);
    const updates = await creationOfRefs(from);
    const { project } = await this.creation.create(actor, {
      name,
      visibility,
      namespace_id: owner.id,
      initialize_with_readme: false,
      ...(head !== null && { default_branch: head }),
    });
    try {
      await this.copy(actor, project, source, updates);
    } catch (error) {
      await this.abandon(actor, project, error);
      throw refusalOf(error, source);
    }
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
    await this.repositories.open(project).fetchObjects({ path: source }, shas, { check: true });
    await this.moves.locked(project, () => this.moves.move(project, signedIn(actor), updates));
  }

  private async abandon(actor: Actor, project: Project, cause: unknown): Promise<void> {
    try {
      await this.deletion.delete(actor, project, null);
    } catch (error) {
      throw new AggregateError(
        [cause, error],
        `The project ${project.fullPath} is empty and must be deleted.`,
        { cause: error },
      );
    }
  }
}

/** What git said of the objects is for the operator, who can mend the source. */
const refusalOf = (error: unknown, source: string): unknown =>
  error instanceof GitProcessError
    ? badRequest(`${source} cannot be imported: ${error.stderr.trim() || error.message}`)
    : error;
