import { InternalIds } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { Labelling } from '../labels/labelling.service';
import { placeOfProject } from '../labels/place';
import { Milestones } from '../milestones/milestones.service';
import { asNew, AssignableUsersRepository } from './assignable-users.repository';
import type { Issue } from './issue.entity';
import { IssuesRepository } from './issues.repository';

/** What the copy has in place of the issue's own. */
export type CopiedWords = Pick<Issue, 'description' | 'milestoneId'>;

/** Makes the same issue in another project. */
@Injectable()
export class IssueCopies {
  constructor(
    private readonly iids: InternalIds,
    private readonly issues: IssuesRepository,
    private readonly labelling: Labelling,
    private readonly milestones: Milestones,
    private readonly assignable: AssignableUsersRepository,
  ) {}

  /**
   * With the labels of the same titles that the project has, for those assignees that may read it
   * there. Tells nobody. Call it in the transaction of the move.
   */
  async make(source: Issue, to: Project, words: CopiedWords, userId: number): Promise<Issue> {
    const { description, milestoneId } = words;
    const iid = await this.iids.next({ scopeKind: 'project', scopeId: to.id, usage: 'issues' });
    const copy = await this.issues.insert({
      iid,
      projectId: to.id,
      authorId: source.authorId,
      title: source.title,
      description,
      confidential: source.confidential,
      discussionLocked: source.discussionLocked,
      milestoneId,
      dueDate: source.dueDate,
      weight: source.weight,
      timeEstimate: source.timeEstimate,
      createdAt: source.createdAt,
    });
    const { state, closedAt, closedById, totalTimeSpent, updatedAt } = source;
    const further = { state, closedAt, closedById, totalTimeSpent, updatedAt };
    await this.issues.update(copy.id, further);
    if (copy.isOpen && source.isOpen && !copy.confidential) await this.issues.countOpen(to.id, 1);
    await this.assign(source, copy);
    await this.label(source, copy, to, userId);
    return Object.assign(copy, further);
  }

  /** The id of the other project's milestone of the same title; call it before the issue is held. */
  async milestoneFor({ milestoneId }: Pick<Issue, 'milestoneId'>, to: Project): Promise<number | null> {
    await this.labelling.keepPlace(placeOfProject(to));
    const milestone = (await this.milestones.byIds([milestoneId])).get(milestoneId ?? 0);
    if (!milestone) return null;
    return (await this.milestones.findUsableByTitle(placeOfProject(to), milestone.title))?.id ?? null;
  }

  private async assign(source: Issue, copy: Issue): Promise<void> {
    const ids = (await this.issues.assigneesOf([source.id])).get(source.id) ?? [];
    const chosen = ids.length === 0 ? [] : await this.assignable.among(asNew(copy), ids);
    if (chosen.length > 0) await this.issues.assign(copy.id, chosen);
  }

  private async label(source: Issue, copy: Issue, to: Project, userId: number): Promise<void> {
    const labels = await this.labelling.of({ kind: 'Issue', id: source.id });
    const titles = labels.map(({ title }) => title);
    const found = await this.labelling.resolve(placeOfProject(to), titles, { create: false });
    await this.labelling.set({ kind: 'Issue', id: copy.id }, found, userId);
  }
}
