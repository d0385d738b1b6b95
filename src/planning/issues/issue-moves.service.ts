import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { badRequest, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { AccessibleProject, Project } from '../../repository/repository.api';
import { DiscussionMoves } from '../noteables/discussion-moves';
import { IssueCopies } from './issue-copies.service';
import { IssueStates } from './issue-states.service';
import type { Issue } from './issue.entity';
import { IssuesRepository } from './issues.repository';
import { MovingWords, type MovedWords } from './moved-words.service';
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
      return await this.database.transaction(async () => {
        const milestoneId = await this.copies.milestoneFor(issue, target.project);
        const held = await this.hold(from, issue.id);
        const isSame = held.milestoneId === issue.milestoneId;
        const there = isSame ? milestoneId : await this.copies.milestoneFor(held, target.project);
        const moved = await this.carryOut(held, there, move);
        await andThen(moved);
        return moved.copy;
      });
    } catch (error) {
      await words.undo();
      throw error;
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
    const description = issue.description === null ? null : await words.rewrite(issue.description);
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
