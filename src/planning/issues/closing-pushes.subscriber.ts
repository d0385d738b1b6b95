import { EventSubscriber, on, type DomainEvent, type NewEvent } from '#libs/events';
import { ZERO_SHA, type Commit } from '#libs/git';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import {
  branchRef,
  ProjectsRepository,
  RefMoves,
  refsUpdated,
  Repositories,
  type Project,
  type RefsUpdated,
} from '../../repository/repository.api';
import { parseClosed } from '../references/parse-closed';
import { IssueClosing } from './issue-closing.service';

/** Of one push, as the reference has it: the newest commits. */
const MOST_COMMITS = 100;

type Update = RefsUpdated['updates'][number];

/** Closes the issues that commits close which come to a default branch. */
@Injectable()
export class ClosingPushes extends EventSubscriber {
  readonly name = 'closing_pushes';
  override readonly delivery = { expireInSeconds: 300 };
  readonly reactions = [on(refsUpdated, (event, signal) => this.close(event, signal))];

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly closing: IssueClosing,
    private readonly moves: RefMoves,
    private readonly urls: Urls,
  ) {
    super();
  }

  /** What the system itself moves was pushed by nobody, and tags close nothing. */
  override concerns({ payload }: NewEvent): Promise<boolean> {
    return Promise.resolve('actorId' in payload && payload.actorId !== null);
  }

  private async close(
    { payload: { projectId, actorId, updates }, createdAt }: DomainEvent<RefsUpdated>,
    signal: AbortSignal,
  ): Promise<void> {
    const project = actorId === null ? null : await this.projects.find(projectId);
    if (!project || actorId === null || project.defaultBranch === null) return;
    const ref = branchRef(project.defaultBranch);
    for (const update of updates.filter((one) => one.ref === ref && one.newSha !== ZERO_SHA)) {
      const commits = await this.newCommits(project, update, signal);
      const closing = commits.filter(({ message }) => parseClosed(message, this.urls).length > 0);
      if (closing.length > 0) await this.mergeIsOver(project);
      for (const { sha, message: text } of closing) {
        signal.throwIfAborted();
        const by = { kind: 'commit', sha } as const;
        await this.closing.closeNamed({ project, actorId, text, by, at: createdAt });
      }
    }
  }

  /** Who merges holds the repository until the merge is written down and has closed what it closes, in its own name. */
  private async mergeIsOver(project: Project): Promise<void> {
    await this.moves.locked(project, () => Promise.resolve());
  }

  /** Oldest first. */
  private async newCommits(
    project: Project,
    { oldSha, newSha }: Update,
    signal: AbortSignal,
  ): Promise<Commit[]> {
    const repository = this.repositories.open(project, signal);
    // The branch may have been overwritten meanwhile.
    if (!(await repository.commit(newSha))) return [];
    const known = oldSha === ZERO_SHA ? null : await repository.commit(oldSha);
    const range = { from: newSha, ...(known && { not: known.sha }) };
    return (await repository.log({ ...range, skip: 0, limit: MOST_COMMITS })).toReversed();
  }
}
