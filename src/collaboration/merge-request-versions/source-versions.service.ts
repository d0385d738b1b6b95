import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { branchRef, ProjectsRepository, Repositories, type Project } from '../../repository/repository.api';
import { ForkNetworksRepository } from '../merge-request-forks/fork-networks.repository';
import { headRef } from './kept-refs';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { VersionReading, type ReadVersion } from './version-reading.service';

/** The tips of a merge request's two branches; null for a branch that is gone. */
export interface Tips {
  readonly source: Sha | null;
  readonly target: Sha | null;
}

type Branches = Pick<MergeRequest, 'sourceBranch' | 'targetBranch'>;

/** Where the branches of merge requests stand, and what they reach brought to where it is to be read. */
@Injectable()
export class SourceVersions {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly networks: ForkNetworksRepository,
    private readonly repositories: Repositories,
    private readonly reading: VersionReading,
  ) {}

  /** The project that the branch is in; null where the fork is gone, or goes its own way: what it has then is its own. */
  async projectOf(
    target: Project,
    { sourceProjectId }: Pick<MergeRequest, 'sourceProjectId'>,
  ): Promise<Project | null> {
    if (sourceProjectId === target.id) return target;
    if (sourceProjectId === null || !(await this.networks.areRelated(sourceProjectId, target.id)))
      return null;
    return this.projects.find(sourceProjectId);
  }

  async tips(target: Project, source: Project | null, branches: Branches): Promise<Tips> {
    const [from, to] = await Promise.all([
      source && this.repositories.open(source).ref(branchRef(branches.sourceBranch)),
      this.repositories.open(target).ref(branchRef(branches.targetBranch)),
    ]);
    return { source: from, target: to };
  }

  /** The first version of a change that is to be proposed. Throws where a repository does not answer. */
  async first(target: Project, source: Project, headSha: Sha, startSha: Sha): Promise<ReadVersion> {
    await this.bring(target, source, headSha);
    return this.reading.read(target, headSha, startSha);
  }

  /** What the tips make of it; null where that is the version it has, or a branch is gone. */
  async newer(
    target: Project,
    source: Project | null,
    mergeRequest: MergeRequest,
    tips: Tips,
  ): Promise<ReadVersion | null> {
    if (!source || tips.source === null || tips.target === null) return null;
    const isSameHead = tips.source === mergeRequest.headSha;
    if (!isSameHead) await this.bring(target, source, tips.source, headRef(mergeRequest.iid));
    const baseSha = await this.reading.base(target, tips.source, tips.target);
    // The target has it all by now: that is a merge, which others look after.
    if (isSameHead && (baseSha === mergeRequest.baseSha || baseSha === tips.source)) return null;
    return this.reading.read(target, tips.source, tips.target);
  }

  /**
   * Has the target's repository hold what the commit of the source reaches, unless `ref` says that it does. Objects that
   * nothing refers to yet stay for as long as maintenance leaves them: keeping them is the work of KeepVersions.
   */
  private async bring(target: Project, source: Project, sha: Sha, ref?: string): Promise<void> {
    if (source.id === target.id) return;
    const repository = this.repositories.open(target);
    if (ref !== undefined && (await repository.ref(ref)) === sha) return;
    await repository.fetchObjects(this.repositories.locate(source), [sha]);
  }
}
