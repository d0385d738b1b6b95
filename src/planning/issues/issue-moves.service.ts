import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { badRequest, DomainError, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { AccessibleProject, Project } from '../../repository/repository.api';
import { DiscussionMoves } from '../noteables/discussion-moves';
import { IssueCopies } from './issue-copies.service';
import { IssueStates } from './issue-states.service';
import type { Issue } from './issue.entity';
import { IssuesRepository } from './issues.repository';
import { LinkedMeanwhile, MovingWords, type MovedWords } from './moved-words.service';
import { projectName } from './named-places';

/** An issue on its way. */
interface Move {
  readonly from: Project;
  readonly to: Project;
  readonly userId: number;
  readonly words: MovedWords;
}

/** What the move makes of the issue. */
export interface MovedIssue {
  readonly copy: Issue;
  /** As the discussion of the copy calls where it comes from. */
  readonly formerName: string;
}

/** Takes issues to other projects. */
@Injectable()
export class IssueMoves {
  constructor(
    private readonly database: Database,
    private readonly issues: IssuesRepository,
    private readonly copies: IssueCopies,
    private readonly states: IssueStates,
    private readonly discussions: DiscussionMoves,
    private readonly words: MovingWords,
  ) {}

  /**
   * Of an issue that the actor reads. The old one is closed and points to the new one, which is answered. `andThen`
   * belongs to the same unit of work.
   */
  async move(
    actor: Actor,
    from: Project,
    issue: Issue,
    target: AccessibleProject,
    andThen: (moved: MovedIssue) => Promise<void>,
  ): Promise<Issue> {
    requireMovable(actor, from, issue, target);
    const words = this.words.between(from, target.project);
    const move = { from, to: target.project, userId: signedIn(actor).id, words };
    try {
      return await this.withFiles(issue, words, () =>
        this.database.transaction(async () => {
          const milestoneId = await this.copies.milestoneFor(issue, target.project);
          const held = await this.hold(from, issue.id);
          const isSame = held.milestoneId === issue.milestoneId;
          const there = isSame ? milestoneId : await this.copies.milestoneFor(held, target.project);
          const moved = await this.carryOut(held, there, move);
          await andThen(moved);
          return moved.copy;
        }),
      );
    } catch (error) {
      await words.undo();
      throw error;
    }
  }

  /** Copies the files first; once more where somebody links to another one in that very moment. */
  private async withFiles<T>({ id }: Issue, words: MovedWords, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const issue = await this.issues.findById(id);
      if (issue?.description) await words.takeFiles(issue.description);
      await this.discussions.read({ kind: 'Issue', id }, (text) => words.takeFiles(text));
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof LinkedMeanwhile)) throw error;
        if (attempt === MOST_ATTEMPTS)
          throw new DomainError({ kind: 'unavailable', message: BUSY }, { cause: error });
      }
    }
  }

  private async hold(from: Project, issueId: number): Promise<Issue> {
    const issue = await this.issues.hold(issueId);
    if (issue?.projectId !== from.id) throw notFound('Issue');
    if (issue.movedToId !== null) throw badRequest(REFUSED);
    return issue;
  }

  private async carryOut(
    issue: Issue,
    milestoneId: number | null,
    { from, to, userId, words }: Move,
  ): Promise<MovedIssue> {
    const description = issue.description === null ? null : words.rewrite(issue.description);
    const copy = await this.copies.make(issue, to, { description, milestoneId }, userId);
    const [old, now] = [
      { kind: 'Issue', id: issue.id },
      { kind: 'Issue', id: copy.id },
    ] as const;
    await this.discussions.copy(old, now);
    await this.discussions.rewrite(now, (text) => words.rewrite(text));
    await this.issues.moveLinks(issue.id, copy.id);
    await this.states.moveAway(issue, userId, copy, nameOf(copy, to, from));
    return { copy: (await this.issues.findById(copy.id)) ?? copy, formerName: nameOf(issue, from, to) };
  }
}

const MOST_ATTEMPTS = 3;
const BUSY = 'The issue is being written on. Try again later.';

const REFUSED = 'Cannot move issue due to insufficient permissions!';

function requireMovable(actor: Actor, from: Project, issue: Issue, target: AccessibleProject): void {
  const mayMove =
    PROJECT_POLICY.admin_issues(actor, from) && PROJECT_POLICY.admin_issues(target.actor, target.project);
  if (!mayMove || issue.movedToId !== null) throw badRequest(REFUSED);
  if (from.id === target.project.id) throw badRequest('Cannot move issue to project it originates from!');
}

/** "#1" as a text of the other project calls it. */
const nameOf = ({ iid }: Issue, { fullPath }: Project, seenFrom: Project): string =>
  `${projectName(fullPath, seenFrom.fullPath)}#${iid}`;
