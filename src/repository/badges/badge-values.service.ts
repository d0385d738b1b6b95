import { PROJECT_POLICY, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects, type AccessibleProject } from '../callers/accessible-projects';
import { branchRef } from '../changes/ref-moves.service';
import { ProjectSearchRepository } from '../projects/project-search.repository';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import type { BadgeSource, PlaceholderValues } from './badge';
import { asksFor } from './badge-url';

const NO_VALUES: PlaceholderValues = {
  project_path: null,
  project_id: null,
  default_branch: null,
  commit_sha: null,
};

/** Looks up what the placeholders of badges stand for: once for all URLs of a page, and only what they ask for. */
@Injectable()
export class BadgeValues {
  constructor(
    private readonly searches: ProjectSearchRepository,
    private readonly accessible: AccessibleProjects,
    private readonly repositories: Repositories,
  ) {}

  /** Of the project, or of the group's first project by creation that the caller may see. */
  async for(actor: Actor, source: BadgeSource, urls: readonly string[]): Promise<PlaceholderValues> {
    if (!urls.some((url) => asksFor(url))) return NO_VALUES;
    const shown =
      source.kind === 'project'
        ? { project: source.project, actor }
        : await this.firstOf(actor, source.group.id);
    return shown ? this.valuesOf(shown, urls) : NO_VALUES;
  }

  private async firstOf(actor: Actor, groupId: number): Promise<AccessibleProject | null> {
    const id = await this.searches.first({
      viewer: actor.user,
      namespaceId: groupId,
      orderBy: 'createdAt',
      sort: 'asc',
    });
    return id === null ? null : this.accessible.require(actor, id);
  }

  /** What is in the repository shows to those alone who may read it. */
  private async valuesOf(
    { project, actor }: AccessibleProject,
    urls: readonly string[],
  ): Promise<PlaceholderValues> {
    const branch = PROJECT_POLICY.download_code(actor, project) ? project.defaultBranch : null;
    const asksForCommit = urls.some((url) => asksFor(url, 'commit_sha'));
    return {
      project_path: project.fullPath,
      project_id: String(project.id),
      default_branch: branch,
      commit_sha: branch !== null && asksForCommit ? await this.tipOf(project, branch) : null,
    };
  }

  private tipOf(project: Project, branch: string): Promise<string | null> {
    return this.repositories.open(project).ref(branchRef(branch));
  }
}
