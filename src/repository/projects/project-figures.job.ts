import type { GitRepository, Sha } from '#libs/git';
import { JobHandler, Jobs, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { RepositoryChecksRepository } from '../checks/repository-checks.repository';
import { figures, findingsAfter } from '../maintenance/upkeep.queues';
import { Repositories } from '../storages/repositories';
import { wikiOf, WikiRepositories } from '../wikis/wiki-repositories';
import { ProjectDetailsRepository } from './project-details.repository';
import type { Project } from './project.entity';
import { ProjectsRepository } from './projects.repository';

/** Larger histories are told as this many commits. */
const MOST_COMMITS = 10_000_000;

/** In this order of preference; the first of several files with one rank counts. */
const README = [
  /^readme\.(?:md|markdown|mdown|mkdn?)$/i,
  /^readme\.(?:adoc|rst|org|rdoc|textile|asciidoc|wiki)$/i,
  /^readme(?:\.txt)?$/i,
];

/** Keeps a project's commit count, repository size and readme, which would cost lists of projects too much to look up. */
@Injectable()
export class ProjectFigures extends JobHandler<{ readonly projectId: number }> {
  readonly queue = figures;

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly details: ProjectDetailsRepository,
    private readonly repositories: Repositories,
    private readonly checks: RepositoryChecksRepository,
    private readonly jobs: Jobs,
    private readonly wikis: WikiRepositories,
  ) {
    super();
  }

  run({ projectId }: { readonly projectId: number }, { signal }: JobRun): Promise<void> {
    return this.refresh(projectId, signal);
  }

  async refresh(projectId: number, signal?: AbortSignal): Promise<void> {
    const project = await this.projects.find(projectId);
    if (!project) return;
    const repository = this.repositories.open(project, signal);
    const tip = await tipOf(repository, project);
    const hasWiki = await this.wikis.exists(project);
    const [commitCount, readmePath, repositorySize, wikiSize] = await Promise.all([
      tip === null ? 0 : repository.countCommits({ from: tip }, MOST_COMMITS),
      tip === null ? null : readmeOf(repository, tip),
      repository.size(),
      hasWiki ? this.repositories.open(wikiOf(project), signal).size() : 0,
    ]);
    await this.details.keepFigures(projectId, { commitCount, repositorySize, wikiSize, readmePath });
    await this.checks.markWritten(projectId, 'repository');
    if (hasWiki) await this.checks.markWritten(projectId, 'wiki');
    await this.jobs.enqueueAll([findingsAfter(projectId)]);
  }
}

const tipOf = async (repository: GitRepository, { defaultBranch }: Project): Promise<Sha | null> =>
  defaultBranch === null ? null : repository.ref(`refs/heads/${defaultBranch}`);

async function readmeOf(repository: GitRepository, tip: Sha): Promise<string | null> {
  const entries = (await repository.tree(tip, '', { recursive: false })) ?? [];
  const names = entries.filter(({ type }) => type === 'blob').map(({ name }) => name);
  for (const pattern of README) {
    const name = names.find((candidate) => pattern.test(candidate));
    if (name !== undefined) return name;
  }
  return null;
}
