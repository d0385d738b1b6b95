import { Level, type ActorUser } from '#libs/access';
import { Database, uniqueViolation } from '#libs/database';
import { Git } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { invalid } from '#libs/errors';
import { Namespaces, type Namespace } from '../../identity/identity.api';
import { BranchCommits } from '../changes/branch-commits.service';
import { hashedDiskPath, Storages } from '../storages/storages';
import type { ProjectAttributes } from './project-attributes';
import type { Project } from './project.entity';
import { ProjectsRepository, type NewProject } from './projects.repository';
import { visibilityErrors } from './project-visibility';
import { takenError } from './taken-names';

/** A project to be; what is left out has its default. */
export type ProjectPlan = ProjectAttributes &
  Pick<Project, 'name' | 'path'> & {
    /** What the repository's HEAD names. */
    readonly firstBranch: string;
    /** Whether a first commit with a readme is made. */
    readonly withReadme: boolean;
  };

const README = 'README.md';

/**
 * Brings projects into being. The directory of the repository is made first and the rows in one transaction after it:
 * whoever sees the project finds its repository. A crash in between leaves an empty directory under an id that is
 * never used again.
 */
@Injectable()
export class ProjectFounding {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly namespaces: Namespaces,
    private readonly commits: BranchCommits,
    private readonly storages: Storages,
    private readonly git: Git,
  ) {}

  /**
   * Checks no rights and no names but for those that are taken. `further` is done in the transaction that makes the
   * project: it comes into being with it or not at all.
   */
  async found(
    creator: ActorUser,
    namespace: Pick<Namespace, 'id' | 'ownerId'>,
    plan: ProjectPlan,
    further: (id: number) => Promise<void> = () => Promise.resolve(),
  ): Promise<Project> {
    const { firstBranch, withReadme, ...attributes } = plan;
    const id = await this.projects.nextId();
    const project: NewProject = {
      ...attributes,
      id,
      namespaceId: namespace.id,
      creatorId: creator.id,
      repositoryStorage: this.storages.forNewRepositories,
      diskPath: hashedDiskPath(id),
    };
    const location = this.storages.locate(project);
    await this.git.create(location, firstBranch);
    try {
      return await this.database.transaction(async () => {
        await this.holdNamespace(project);
        await this.insert(project, namespace.ownerId);
        if (withReadme) await this.commitReadme(creator, await this.inserted(id), firstBranch);
        await further(id);
        return this.inserted(id);
      });
    } catch (error) {
      if (!(await this.mayBeFounded(id))) await this.git.remove(location);
      throw uniqueViolation(error) === null
        ? error
        : takenError(await this.projects.taken(namespace.id, plan, null), error);
    }
  }

  /** Where the connection broke during COMMIT only the database knows; an empty repository too many does no harm. */
  private mayBeFounded(id: number): Promise<boolean> {
    return this.projects.find(id).then(
      (project) => project !== null,
      () => true,
    );
  }

  /** It may have been deleted or hidden since somebody looked. */
  private async holdNamespace({ namespaceId, visibility = 'private' }: NewProject): Promise<void> {
    const namespace = await this.namespaces.hold(namespaceId);
    if (!namespace) throw invalid({ namespace: ['is not valid'] });
    const errors = visibilityErrors(visibility, namespace.kind === 'group' ? namespace : null);
    if (Object.keys(errors).length > 0) throw invalid(errors);
  }

  /** The owner of a personal namespace also is a member of each project in it. */
  private async insert(project: NewProject, ownerId: number | null): Promise<void> {
    await this.projects.insert(project);
    if (ownerId !== null) await this.projects.addMember(project.id, ownerId, Level.maintainer);
  }

  private async commitReadme(creator: ActorUser, project: Project, branch: string): Promise<void> {
    const text = [`# ${project.name}`, ...(project.description ? [project.description] : [])].join('\n\n');
    await this.commits.commit(project, creator, {
      branch,
      message: 'Initial commit',
      actions: [{ action: 'create', path: README, content: Buffer.from(`${text}\n`) }],
      start: null,
      force: false,
      allowEmpty: false,
      authorName: undefined,
      authorEmail: undefined,
    });
    await this.projects.update(project.id, { readmePath: README });
  }

  private async inserted(id: number): Promise<Project> {
    const project = await this.projects.find(id);
    if (!project) throw new Error('the project was inserted in this transaction');
    return project;
  }
}
