import type { Commit, Sha } from '#libs/git';
import { notFound } from '#libs/errors';
import type { Page } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import { Repositories, type Project } from '../../repository/repository.api';
import { JobArtifactsRepository } from '../artifacts/job-artifacts.repository';
import { RunnersRepository } from '../runners/runners.repository';
import type { JobDetails } from './job-details';
import type { Job } from './job.entity';
import { JobRelationsRepository } from './job-relations.repository';

/** Puts together what records of jobs show: a constant number of queries, however many jobs. */
@Injectable()
export class JobRecords {
  constructor(
    private readonly relations: JobRelationsRepository,
    private readonly users: UserDirectory,
    private readonly runners: RunnersRepository,
    private readonly artifacts: JobArtifactsRepository,
    private readonly repositories: Repositories,
  ) {}

  async page(page: Page<Job>): Promise<Page<JobDetails>> {
    return { ...page, rows: await this.of(page.rows) };
  }

  /** Throws 404 where its project was deleted meanwhile. */
  async one(job: Job): Promise<JobDetails> {
    const [details] = await this.of([job]);
    if (!details) throw notFound();
    return details;
  }

  private async of(jobs: readonly Job[]): Promise<JobDetails[]> {
    const projects = await this.relations.projects(jobs);
    const pipelines = await this.relations.pipelines(jobs);
    const users = await this.users.profilesByIds(jobs.map(({ record }) => record.authorId));
    const runners = await this.runners.byIds(jobs.map(({ runnerId }) => runnerId));
    const artifacts = await this.artifacts.byJobs(jobs.map(({ id }) => id));
    const commits = await this.commitsOf(jobs, projects);
    return jobs.flatMap((job) => {
      const project = projects.get(job.projectId);
      const pipeline = pipelines.get(job.pipelineId);
      if (!project || !pipeline) return [];
      return {
        job,
        project,
        pipeline,
        user: users.get(job.record.authorId ?? 0) ?? null,
        commit: commits.get(`${job.projectId} ${job.record.sha}`) ?? null,
        runner: runners.get(job.runnerId ?? 0) ?? null,
        artifacts: artifacts.get(job.id) ?? [],
      };
    });
  }

  /** By project and sha; git is asked once for each project. */
  private async commitsOf(
    jobs: readonly Job[],
    projects: ReadonlyMap<number, Project>,
  ): Promise<ReadonlyMap<string, Commit>> {
    const found = new Map<string, Commit>();
    for (const project of projects.values()) {
      const shas = jobs.filter(({ projectId }) => projectId === project.id).map(({ record }) => record.sha);
      for (const commit of await this.known(project, [...new Set(shas)])) {
        found.set(`${project.id} ${commit.sha}`, commit);
      }
    }
    return found;
  }

  private async known(project: Project, shas: readonly Sha[]): Promise<Commit[]> {
    const repository = this.repositories.open(project);
    const commits = await Promise.all(shas.map((sha) => repository.commit(sha)));
    return commits.filter((commit) => commit !== null);
  }
}
