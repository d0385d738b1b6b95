import { PROJECT_POLICY, type Actor } from '#libs/access';
import { ZERO_SHA, type Commit } from '#libs/git';
import { Injectable } from '@nestjs/common';
import {
  ActingUsers,
  ProjectsRepository,
  Repositories,
  type Project,
  type RefsUpdated,
} from '../../repository/repository.api';
import { ConfigurationFiles } from './configuration-files.service';
import { PipelineStarts } from './pipeline-starts.service';
import { wishesToSkip } from './skip-wish';

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';
/** The reference makes pipelines for so many branches of one push, and for as many tags. */
const MOST_REFS = 4;
/** Names that are longer are not kept. */
const LONGEST_REF = 255;

/** One branch or tag that is somewhere else now. */
interface PushedRef {
  readonly ref: string;
  readonly tag: boolean;
  readonly commit: Commit;
  readonly beforeSha: string;
}

/** What follows from pushes in CI. */
@Injectable()
export class PushedRefs {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly users: ActingUsers,
    private readonly files: ConfigurationFiles,
    private readonly starts: PipelineStarts,
  ) {}

  /** Some of the refs has a configuration file. Every push waits for the answer. */
  async mayHavePipelines(push: RefsUpdated): Promise<boolean> {
    const project = await this.projects.find(push.projectId);
    if (!project || !isWanted(project, push)) return false;
    for (const { ref, newSha } of chosenOf(push)) {
      const sha = ref.startsWith(TAG) ? await this.repositories.open(project).resolve(newSha) : newSha;
      if (sha !== null && (await this.files.exist(project, sha))) return true;
    }
    return false;
  }

  /** In the name of whoever pushed, with the rights that they have by now. */
  async build(eventId: number, push: RefsUpdated, signal: AbortSignal): Promise<void> {
    const project = await this.projects.find(push.projectId);
    if (!project || !isWanted(project, push)) return;
    const actor = await this.actorOf(project, push);
    if (!actor) return;
    for (const pushed of await this.refsOf(project, push)) {
      signal.throwIfAborted();
      const skip = push.skipsPipelines === true || wishesToSkip(pushed.commit);
      const order = { project, actor, source: 'push', variables: [], mergeRequest: null } as const;
      await this.starts.onPush({ ...order, ...pushed, skip, eventId });
    }
  }

  /**
   * Nobody to whom a branch is merely lent, as in the reference: jobs hold the rights of whoever has them run, and what they
   * do is up to the people of the fork, whose runners they go to.
   */
  private async actorOf(project: Project, { actorId }: RefsUpdated): Promise<Actor | null> {
    const actor = actorId === null ? null : await this.users.find(actorId, project);
    return actor && PROJECT_POLICY.run_pipelines(actor, project) ? actor : null;
  }

  private async refsOf(project: Project, push: RefsUpdated): Promise<PushedRef[]> {
    const repository = this.repositories.open(project);
    const found: PushedRef[] = [];
    for (const { ref, oldSha: beforeSha, newSha } of chosenOf(push)) {
      const tag = ref.startsWith(TAG);
      // An annotated tag is an object of its own.
      const sha = await repository.resolve(newSha);
      const commit = sha === null ? null : await repository.commit(sha);
      if (commit) found.push({ ref: ref.slice((tag ? TAG : BRANCH).length), tag, commit, beforeSha });
    }
    return found;
  }
}

function chosenOf({ updates }: RefsUpdated): RefsUpdated['updates'][number][] {
  const live = updates.filter(({ ref, newSha }) => newSha !== ZERO_SHA && ref.length <= LONGEST_REF);
  return [BRANCH, TAG].flatMap((prefix) =>
    live.filter(({ ref }) => ref.startsWith(prefix)).slice(0, MOST_REFS),
  );
}

/** What a mirror brings is built only where the project says so. */
const isWanted = (project: Project, { source }: RefsUpdated): boolean =>
  project.jobsAccess !== 'disabled' &&
  !project.archived &&
  (source !== 'mirror' || project.mirrorTriggerBuilds);
