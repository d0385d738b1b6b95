import { EventSubscriber, on, type NewEvent } from '#libs/events';
import { ZERO_SHA, type Commit, type Sha } from '#libs/git';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { parseClosed } from '../../planning/planning.api';
import {
  branchRef,
  ProjectsRepository,
  refsUpdated,
  Repositories,
  type Project,
  type RefsUpdated,
} from '../../repository/repository.api';
import { MergedCommits } from '../merging/merged-commits.repository';
import { CommitMentions } from './commit-mentions.service';

/** Of one push, as the reference has it: the newest commits of each branch. */
const MOST_COMMITS = 100;
const MOST_BRANCHES = 20;

const BRANCH = branchRef('');

type Update = RefsUpdated['updates'][number];

/** Leaves "mentioned in commit" on what the messages of pushed commits name, as far as whoever pushed may see that. */
@Injectable()
export class PushedMentions extends EventSubscriber {
  readonly name = 'pushed_mentions';
  override readonly delivery = { expireInSeconds: 300 };
  readonly reactions = [on(refsUpdated, ({ payload }, signal) => this.mentionAll(payload, signal))];

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly mentions: CommitMentions,
    private readonly merged: MergedCommits,
    private readonly urls: Urls,
  ) {
    super();
  }

  /** What the system itself moves was pushed by nobody. */
  override concerns({ payload }: NewEvent): Promise<boolean> {
    return Promise.resolve('actorId' in payload && payload.actorId !== null);
  }

  private async mentionAll({ projectId, actorId, updates }: RefsUpdated, signal: AbortSignal): Promise<void> {
    const moved = updates.filter(({ ref, newSha }) => ref.startsWith(BRANCH) && newSha !== ZERO_SHA);
    const project = moved.length > 0 ? await this.projects.find(projectId) : null;
    if (!project || actorId === null) return;
    for (const update of moved.slice(0, MOST_BRANCHES)) {
      const isDefault = update.ref === branchRef(project.defaultBranch ?? '');
      for (const commit of await this.writtenCommits(project, update, isDefault, signal)) {
        signal.throwIfAborted();
        // What a commit on the default branch closes is told so by whoever closes it.
        const except = isDefault ? parseClosed(commit.message, this.urls) : [];
        await this.mentions.note(project, {
          sha: commit.sha,
          text: commit.message,
          authorId: actorId,
          except,
        });
      }
    }
  }

  /** New ones whose messages somebody wrote: those of merges by this service only say what was merged. */
  private async writtenCommits(
    project: Project,
    update: Update,
    isDefault: boolean,
    signal: AbortSignal,
  ): Promise<Commit[]> {
    const commits = await this.newCommits(project, update, isDefault, signal);
    const shas = commits.map(({ sha }) => sha);
    const merged = await this.merged.among(project.id, shas);
    return commits.filter(({ sha }) => !merged.has(sha));
  }

  /** Oldest first. Those of a new branch are the ones that the default branch does not have. */
  private async newCommits(
    project: Project,
    { oldSha, newSha }: Update,
    isDefault: boolean,
    signal: AbortSignal,
  ): Promise<Commit[]> {
    const repository = this.repositories.open(project, signal);
    // It may have been deleted or overwritten meanwhile.
    if (!(await repository.commit(newSha))) return [];
    const known = oldSha === ZERO_SHA ? null : await repository.commit(oldSha);
    const beginning = isDefault ? null : await repository.ref(branchRef(project.defaultBranch ?? 'master'));
    const not: Sha | null = known?.sha ?? beginning;
    const range = { from: newSha, ...(not !== null && { not }) };
    return (await repository.log({ ...range, skip: 0, limit: MOST_COMMITS })).toReversed();
  }
}
