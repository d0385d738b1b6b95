import type { Sha } from '#libs/git';
import { JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { branchRef } from '../changes/ref-moves.service';
import { languageDetections } from '../maintenance/upkeep.queues';
import { ProjectsRepository } from '../projects/projects.repository';
import { Repositories } from '../storages/repositories';
import { LanguageDetection } from './language-detection.service';
import { LanguagesRepository } from './languages.repository';

/** Keeps the languages of a project's default branch. Idempotent, and free where the branch has not moved. */
@Injectable()
export class DetectLanguages extends JobHandler<{ readonly projectId: number }> {
  readonly queue = languageDetections;

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly languages: LanguagesRepository,
    private readonly repositories: Repositories,
    private readonly detection: LanguageDetection,
  ) {
    super();
  }

  async run(
    { projectId }: { readonly projectId: number },
    { signal }: Pick<JobRun, 'signal'>,
  ): Promise<void> {
    const project = await this.projects.find(projectId);
    if (!project) return;
    const repository = this.repositories.open(project, signal);
    const { defaultBranch } = project;
    const tip: Sha | null = defaultBranch === null ? null : await repository.ref(branchRef(defaultBranch));
    if (tip === (await this.languages.detectedIn(projectId))) return;
    const found = tip === null ? new Map<string, number>() : await this.detection.of(repository, tip);
    await this.languages.keep(projectId, tip, found);
  }
}
