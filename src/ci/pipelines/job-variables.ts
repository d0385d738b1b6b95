import { Injectable } from '@nestjs/common';
import { Users } from '../../identity/identity.api';
import { ProjectsRepository, Repositories, type Project } from '../../repository/repository.api';
import type { JobDefinition } from '../configuration/job-definition';
import { BuiltMergeRequests } from './built-merge-requests';
import { environmentSlug } from './environment-slug';
import { JobFactsRepository, type JobFacts } from './job-facts.repository';
import {
  predefinedVariables,
  publicVariable,
  refNameOf,
  slugOf,
  userVariables,
  type JobVariable,
} from './predefined-variables';
import { ServiceFacts } from './service-facts';

/** In the order in which later ones win. */
export interface VariablesOfJob {
  /** What every job knows of where and what it is, but for what only the runner's call can tell. */
  readonly predefined: readonly JobVariable[];
  /** Of the configuration, of whoever has the job run, and what was given to the pipeline. */
  readonly own: readonly JobVariable[];
}

/** What a job's environment holds when it runs. */
@Injectable()
export class JobVariables {
  constructor(
    private readonly jobs: JobFactsRepository,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly mergeRequests: BuiltMergeRequests,
    private readonly users: Users,
    private readonly service: ServiceFacts,
  ) {}

  /** Null where the job or its project is gone. */
  async of(jobId: number): Promise<VariablesOfJob | null> {
    const facts = await this.jobs.find(jobId);
    const project = facts && (await this.projects.find(facts.pipeline.projectId));
    if (!project) return null;
    const [predefined, user] = await Promise.all([
      this.predefined(project, facts),
      facts.authorId === null ? null : this.users.find(facts.authorId),
    ]);
    const configured = facts.definition.variables.map(({ key, value }) => publicVariable(key, value));
    const given = facts.variables.map(({ key, value, variableType }) => ({
      ...publicVariable(key, value),
      public: false,
      file: variableType === 'file',
    }));
    return { predefined, own: [...configured, ...userVariables(user), ...given] };
  }

  private async predefined(project: Project, facts: JobFacts): Promise<JobVariable[]> {
    const { pipeline } = facts;
    const [commit, mergeRequest] = await Promise.all([
      this.repositories.open(project).commit(pipeline.sha),
      pipeline.mergeRequestId === null ? null : this.mergeRequests.find(pipeline.mergeRequestId),
    ]);
    const { urls, version } = this.service;
    return [
      ...predefinedVariables({ urls, version, project, pipeline, commit, mergeRequest }),
      ...ofJob(facts, `${urls.web(project.fullPath)}/-/jobs/${facts.id}`),
      ...environmentPart(facts.definition, refNameOf(pipeline, mergeRequest), pipeline.sha),
    ];
  }
}

function ofJob({ id, name, stage, isManual, definition }: JobFacts, url: string): JobVariable[] {
  const { parallel } = definition;
  return entries({
    CI_JOB_ID: String(id),
    CI_JOB_URL: url,
    CI_JOB_NAME: name,
    CI_JOB_STAGE: stage,
    CI_BUILD_ID: String(id),
    CI_BUILD_NAME: name,
    CI_BUILD_STAGE: stage,
    ...(isManual && { CI_JOB_MANUAL: 'true', CI_BUILD_MANUAL: 'true' }),
    ...(parallel && { CI_NODE_INDEX: String(parallel.index) }),
    CI_NODE_TOTAL: String(parallel?.total ?? 1),
  });
}

/** Names of environments are often made of the ref's; other variables in them the runner fills in. */
function environmentPart({ environment }: JobDefinition, ref: string, sha: string): JobVariable[] {
  if (!environment) return [];
  const known: Record<string, string> = {
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slugOf(ref),
    CI_COMMIT_SHA: sha,
  };
  const name = environment.name.replaceAll(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (written, braced: string | undefined, plain: string | undefined) =>
      known[braced ?? plain ?? ''] ?? written,
  );
  return entries({
    CI_ENVIRONMENT_NAME: name,
    CI_ENVIRONMENT_SLUG: environmentSlug(name),
    ...(environment.url !== undefined && { CI_ENVIRONMENT_URL: environment.url }),
  });
}

const entries = (values: Readonly<Record<string, string>>): JobVariable[] =>
  Object.entries(values).map(([key, value]) => publicVariable(key, value));
