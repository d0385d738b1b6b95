import { signedIn, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import type { Commit, GitRepository, Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import type { Pipeline } from '../pipelines/pipeline.entity';
import { PipelineProcessing } from '../pipelines/pipeline-processing';
import { PipelinesRepository } from '../pipelines/pipelines.repository';
import { RefRights } from '../pipelines/ref-rights';

/** Names that are longer are not kept. */
const LONGEST_REF = 255;

/** The commit that a report is about, and the branch or tag; null where the report names its pipeline. */
export interface ReportedPlace {
  readonly commit: Commit;
  readonly home: { readonly ref: string; readonly tag: boolean; readonly protected: boolean } | null;
}

/** The pipelines that statuses reported from outside belong to. */
@Injectable()
export class ReportedPipelines {
  constructor(
    private readonly repositories: Repositories,
    private readonly pipelines: PipelinesRepository,
    private readonly processing: PipelineProcessing,
    private readonly rights: RefRights,
  ) {}

  /** Throws "404 Commit Not Found", and the same of references where no branch has the commit. */
  async place(
    actor: Actor,
    project: Project,
    report: { sha: string; ref?: string | undefined; pipeline_id?: number | undefined },
  ): Promise<ReportedPlace> {
    const repository = this.repositories.open(project);
    const commit = await requireCommit(repository, report.sha);
    if (report.pipeline_id !== undefined) return { commit, home: null };
    const ref = report.ref || (await firstBranchOf(repository, commit.sha));
    const tag = (await repository.ref(`refs/tags/${ref}`)) !== null;
    const isProtected = await this.rights.isProtected(actor, project, { ref, tag });
    return { commit, home: { ref, tag, protected: isProtected } };
  }

  /** Locked, and made where there is none yet. In a transaction. Throws "404 Not found" for one that is named. */
  async hold(
    actor: Actor,
    project: Project,
    { commit, home }: ReportedPlace,
    pipelineId: number | undefined,
  ): Promise<Pipeline> {
    await this.pipelines.lockCommit(project.id, commit.sha);
    const known = await this.pipelines.findOfCommit(
      project.id,
      commit.sha,
      home ? { ref: home.ref } : { id: pipelineId ?? 0 },
    );
    const locked = known && (await this.processing.lock(known.id));
    if (locked) return locked;
    if (!home) throw notFound();
    const pipeline = await this.pipelines.create({
      projectId: project.id,
      sha: commit.sha,
      ...home,
      source: 'external',
      userId: signedIn(actor).id,
      committedAt: new Date(commit.committer.time * 1000),
    });
    await this.processing.tell(pipeline);
    return pipeline;
  }
}

/** The reference's default: the first branch, by name, that contains the commit. */
async function firstBranchOf(repository: GitRepository, sha: Sha): Promise<string> {
  const branches = await repository.refsContaining(sha, 'branch');
  const first = branches.find(({ name }) => name.length <= LONGEST_REF);
  if (!first) throw notFound('References for commit');
  return first.name;
}
