import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { UserDirectory, type UserSummary } from '../../identity/identity.api';
import { IssueEpics } from '../epics/issue-epics.service';
import { Labelling } from '../labels/labelling.service';
import { Milestones } from '../milestones/milestones.service';
import type { DescribedIssue } from './described-issue';
import { IssueFigures } from './issue-figures.service';
import type { Issue } from './issue.entity';
import { IssuesRepository } from './issues.repository';

interface Wish {
  /** Whole labels in the place of their titles. */
  readonly labelDetails?: boolean;
}

/** Gathers what records tell of issues: a constant number of queries, however many issues there are. */
@Injectable()
export class IssueDescriptions {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly users: UserDirectory,
    private readonly labels: Labelling,
    private readonly milestones: Milestones,
    private readonly epics: IssueEpics,
    private readonly figures: IssueFigures,
  ) {}

  /** In the order given. Whether the actor may see them, the caller knows. */
  async describe(
    actor: Actor,
    issues: readonly Issue[],
    { labelDetails = false }: Wish = {},
  ): Promise<DescribedIssue[]> {
    if (issues.length === 0) return [];
    const ids = issues.map(({ id }) => id);
    const paths = await this.issues.pathsOf(issues.map(({ projectId }) => projectId));
    const assignees = await this.issues.assigneesOf(ids);
    const people = await this.users.byIds([
      ...issues.flatMap(({ authorId, closedById }) => [authorId, closedById]),
      ...[...assignees.values()].flat(),
    ]);
    const labels = await this.labels.ofMany('Issue', ids);
    const milestones = await this.milestones.byIds(issues.map(({ milestoneId }) => milestoneId));
    const epics = await this.epics.ofIssues(actor, ids);
    const figures = await this.figures.of(actor, issues);
    return issues.map((issue) => ({
      issue,
      projectPath: paths.get(issue.projectId) ?? '',
      author: personAt(people, issue.authorId),
      closedBy: personAt(people, issue.closedById),
      assignees: (assignees.get(issue.id) ?? []).flatMap((id) => people.get(id) ?? []),
      labels: labels.get(issue.id) ?? [],
      showsLabelDetails: labelDetails,
      milestone: milestones.get(issue.milestoneId ?? 0) ?? null,
      epic: epics.get(issue.id) ?? null,
      votes: figures.votesOf(issue),
      mergeRequestsCount: figures.mergeRequestsCountOf(issue),
      isSubscribed: figures.isSubscribedTo(issue),
    }));
  }

  async describeOne(actor: Actor, issue: Issue): Promise<DescribedIssue> {
    const [described] = await this.describe(actor, [issue]);
    if (!described) throw new Error('every issue is described');
    return described;
  }

  /** In the order of the ids; those of no issue are left out. */
  async ofIds(actor: Actor, ids: readonly number[]): Promise<DescribedIssue[]> {
    return this.describe(actor, await this.issues.findMany(ids));
  }
}

const personAt = (people: ReadonlyMap<number, UserSummary>, id: number | null): UserSummary | null =>
  people.get(id ?? 0) ?? null;
