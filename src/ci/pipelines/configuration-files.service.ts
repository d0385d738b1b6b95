import { GitLimitError, isReadablePath, ZERO_SHA, type GitRepository, type Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Repositories, type Project } from '../../repository/repository.api';
import { ConfigurationError } from '../configuration/configuration-error';
import { ConfigurationReading } from '../configuration/configuration-reading.service';
import type { NewJobs } from '../configuration/new-job';
import { packedPaths, type ReadingTarget } from '../configuration/reading';
import { LARGEST_FILE } from '../configuration/yaml-document';
import type { PipelineOrder } from './pipeline-order';
import { predefinedVariables, userVariables } from './predefined-variables';
import { ServiceFacts } from './service-facts';

const DEFAULT_PATH = '.gitlab-ci.yml';
/** Of a configuration with all that it includes, in bytes. */
const LARGEST_TOTAL = 4 * LARGEST_FILE;
/** A commit with more files is not searched for one that a rule names. */
const MOST_FILES = 100_000;

/** What a project's configuration says of a pipeline: jobs, or what is wrong with it; null where there is no file. */
export type Plan = NewJobs | { readonly problem: string } | null;

/** Reads the configuration files of projects. */
@Injectable()
export class ConfigurationFiles {
  constructor(
    private readonly repositories: Repositories,
    private readonly service: ServiceFacts,
    private readonly reading: ConfigurationReading,
  ) {}

  /** There is one at the commit. */
  async exist(project: Project, sha: Sha): Promise<boolean> {
    return (await fileAt(this.repositories.open(project), sha, pathOf(project))) !== null;
  }

  async plan(order: PipelineOrder, isProtected: boolean): Promise<Plan> {
    const { project, commit } = order;
    const repository = this.repositories.open(project);
    const read = readerOf(repository, commit.sha);
    try {
      const text = await read(pathOf(project));
      if (text === null) return null;
      const target = this.targetOf(order, isProtected);
      return await this.reading.read({ text, target }, String(project.id), async (question) => {
        if (question.is === 'file') return read(question.path);
        const isAboutChanges = question.is === 'changed_paths';
        return packedPaths(
          await (isAboutChanges ? changedPaths(order, repository) : pathsAt(repository, commit.sha)),
        );
      });
    } catch (error) {
      if (error instanceof ConfigurationError) return { problem: error.message };
      throw error;
    }
  }

  private targetOf(order: PipelineOrder, isProtected: boolean): ReadingTarget {
    const { project, commit, tag, mergeRequest, source, ref, beforeSha } = order;
    const { urls, version } = this.service;
    const pipeline = { ref, tag, sha: commit.sha, beforeSha, source, protected: isProtected };
    const known = predefinedVariables({ urls, version, project, pipeline, commit, mergeRequest });
    return {
      projectPath: project.fullPath,
      ref,
      kind: mergeRequest ? 'merge_request' : tag ? 'tag' : 'branch',
      source: source.replace(/_event$/, ''),
      known: pairsOf(known),
      given: pairsOf([...userVariables(order.actor.user), ...order.variables]),
    };
  }
}

const pairsOf = (variables: readonly { readonly key: string; readonly value: string }[]) =>
  variables.map(({ key, value }) => [key, value] as const);

const pathOf = ({ ciConfigPath }: Project): string => ciConfigPath?.trim() || DEFAULT_PATH;

/** Reads files at a commit, all of them together up to a limit. */
function readerOf(repository: GitRepository, sha: Sha) {
  let bytes = 0;
  return async (path: string): Promise<string | null> => {
    const file = await fileAt(repository, sha, path);
    if (!file) return null;
    bytes += file.size;
    if (file.size > LARGEST_FILE || bytes > LARGEST_TOTAL)
      throw new ConfigurationError(`The file \`${path}\` is too large`);
    return (await repository.blob(file.sha)).toString('utf8');
  };
}

/** A path that no repository can hold is one at which nothing is. */
async function fileAt(repository: GitRepository, sha: Sha, path: string) {
  return isReadablePath(path) ? repository.file(sha, path) : null;
}

/** Null where nobody can say: for what is new, and what has no history in common with what was there. */
async function changedPaths(
  { commit, beforeSha, tag, mergeRequest }: PipelineOrder,
  repository: GitRepository,
): Promise<string[] | null> {
  const since = mergeRequest ? await baseOf(repository, commit.sha, mergeRequest.targetBranch) : beforeSha;
  if (tag || since === null || since === ZERO_SHA || (await repository.commit(since)) === null) return null;
  const diffs = await diffsBetween(repository, since, commit.sha);
  return (
    diffs && diffs.flatMap(({ oldPath, newPath }) => (oldPath === newPath ? [newPath] : [oldPath, newPath]))
  );
}

/** Null for differences that are too large to be looked at. */
async function diffsBetween(repository: GitRepository, from: Sha, to: Sha) {
  try {
    return await repository.diffBetween(from, to);
  } catch (error) {
    if (error instanceof GitLimitError) return null;
    throw error;
  }
}

async function baseOf(repository: GitRepository, sha: Sha, targetBranch: string): Promise<Sha | null> {
  const target = await repository.ref(`refs/heads/${targetBranch}`);
  return target === null ? null : repository.mergeBase([sha, target]);
}

async function pathsAt(repository: GitRepository, sha: Sha): Promise<string[] | null> {
  const entries = (await repository.tree(sha, '', { recursive: true })) ?? [];
  const files = entries.filter(({ type }) => type === 'blob').map(({ path }) => path);
  return files.length > MOST_FILES ? null : files;
}
