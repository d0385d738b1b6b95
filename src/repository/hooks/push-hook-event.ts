import type { ActorUser } from '#libs/access';
import { ZERO_SHA, type Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { branchRef, tagRef } from '../changes/ref-moves.service';
import { refsUpdated, type RefsUpdated } from '../changes/refs-updated.event';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import { HookEvent, type HookCall } from './hook-event';
import type { HookKindName } from './hook-kinds';
import { HookRecords } from './hook-records';
import { PushedCommits, type Move } from './pushed-commits';

const BRANCH = branchRef('');
const TAG = tagRef('');

/** So many commits does a made-up push have. */
const SAMPLE_COMMITS = 3;

/** One ref's move and who moved it. */
interface Push extends Move {
  readonly ref: string;
  readonly userId: number | null;
}

/** Pushes of branches and tags, by git and through the API. */
@Injectable()
export class PushHookEvent extends HookEvent<RefsUpdated> {
  readonly type = refsUpdated;
  readonly kinds = ['push', 'tag_push'] as const;

  constructor(
    private readonly repositories: Repositories,
    private readonly records: HookRecords,
    private readonly commits: PushedCommits,
  ) {
    super();
  }

  calls({ updates, actorId }: RefsUpdated, project: Project): readonly HookCall[] {
    return updates
      .map(({ ref, oldSha, newSha }) => ({ ref, before: oldSha, after: newSha, userId: actorId }))
      .flatMap((push) => this.callFor(project, push) ?? []);
  }

  async sample(kind: HookKindName, project: Project, { id: userId }: ActorUser): Promise<HookCall | null> {
    const move = await (kind === 'tag_push' ? this.latestTag(project) : this.latestCommits(project));
    return move && this.callFor(project, { ...move, userId });
  }

  /** Null for what is neither a branch nor a tag. */
  private callFor(project: Project, push: Push): HookCall | null {
    const { ref } = push;
    if (ref.startsWith(TAG))
      return { kind: 'tag_push', branch: null, body: () => this.tagPush(project, push) };
    if (!ref.startsWith(BRANCH)) return null;
    const branch = ref.slice(BRANCH.length);
    return { kind: 'push', branch, body: () => this.branchPush(project, branch, push) };
  }

  private async branchPush(project: Project, branch: string, push: Push): Promise<object> {
    return {
      ...(await this.begun('push', project, push, push.after === ZERO_SHA ? null : push.after)),
      ...(await this.commits.ofBranch(project, branch, push)),
      repository: this.records.repository(project),
    };
  }

  private async tagPush(project: Project, push: Push): Promise<object> {
    const isGone = push.after === ZERO_SHA;
    const tag = isGone ? null : await this.repositories.open(project).tag(push.ref.slice(TAG.length));
    // The tag may have moved on since.
    const named = tag?.target === push.after ? tag : null;
    const begun = await this.begun('tag_push', project, push, named?.sha ?? null);
    return {
      ...begun,
      message: named?.message ?? null,
      ...(await this.commits.ofTag(project, named?.sha ?? null)),
      repository: this.records.repository(project),
    };
  }

  private async begun(kind: 'push' | 'tag_push', project: Project, push: Push, checkoutSha: Sha | null) {
    return {
      object_kind: kind,
      event_name: kind,
      before: push.before,
      after: push.after,
      ref: push.ref,
      checkout_sha: checkoutSha,
      message: null,
      ...(await this.records.pusher(push.userId)),
      project_id: project.id,
      project: this.records.project(project),
    };
  }

  /** The last few commits of the default branch, as one push. */
  private async latestCommits(project: Project) {
    if (project.defaultBranch === null) return null;
    const ref = branchRef(project.defaultBranch);
    const repository = this.repositories.open(project);
    const after = await repository.ref(ref);
    if (after === null) return null;
    const commits = await repository.log({ from: after, skip: 0, limit: SAMPLE_COMMITS + 1 });
    return { ref, before: commits[SAMPLE_COMMITS]?.sha ?? ZERO_SHA, after };
  }

  private async latestTag(project: Project) {
    const tag = (await this.repositories.open(project).tags()).at(-1);
    return tag ? { ref: tagRef(tag.name), before: ZERO_SHA, after: tag.target } : null;
  }
}
