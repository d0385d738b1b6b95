import { PROJECT_POLICY, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { IssueEpics } from '../epics/issue-epics.service';
import type { Label } from '../labels/label.entity';
import { Labelling } from '../labels/labelling.service';
import { placeOfProject } from '../labels/place';
import { PlaceLocks } from '../labels/place-locks.repository';
import type { Milestone } from '../milestones/milestone.entity';
import { Milestones } from '../milestones/milestones.service';
import { asNew } from './assignable-users.repository';
import { IssueAssignment } from './issue-assignment.service';
import type { ChangedValue, IssueChangeLog } from './issue-changed.event';
import type { assigneesNote } from './issue-notes';
import type { Issue } from './issue.entity';
import type { IssueFields } from './issue.params';

/** What has changed of an issue's relations; labels and epics tell the discussion themselves. */
export interface Related {
  readonly note: ReturnType<typeof assigneesNote>;
  readonly changes: IssueChangeLog;
}

/** Whom issues are given to and what they are sorted by: assignees, milestones, labels, epics. Whether the actor may say so, the caller knows. */
@Injectable()
export class IssueRelations {
  constructor(
    private readonly milestones: Milestones,
    private readonly labelling: Labelling,
    private readonly epics: IssueEpics,
    private readonly assignment: IssueAssignment,
    private readonly places: PlaceLocks,
  ) {}

  /**
   * Keeps the project in its groups where the parameters name something of these. Call it in the transaction before the
   * issue is held. Throws "404 Not found" for an epic where the project has just been moved.
   */
  async keepPlace(project: Project, fields: IssueFields): Promise<void> {
    const place = placeOfProject(project);
    if (epicNamed(fields)) await this.places.keepHere(place);
    else if (fields.milestone_id || fields.labels?.length) await this.places.keep(place);
  }

  /**
   * The milestone that the parameters name: undefined where they name none, null for nobody's. One that the project has
   * no use of counts as nobody's. Call it in the transaction that writes it.
   */
  async milestone(
    project: Project,
    { milestone_id: id }: IssueFields,
  ): Promise<Milestone | null | undefined> {
    if (id === undefined) return undefined;
    return id === null || id === 0 ? null : this.milestones.findUsable(placeOfProject(project), id);
  }

  async milestoneOf({ milestoneId }: Pick<Issue, 'milestoneId'>): Promise<Milestone | null> {
    return (await this.milestones.byIds([milestoneId])).get(milestoneId ?? 0) ?? null;
  }

  /** Assignees, labels and the epic, as the parameters name them. Call it in the transaction that holds the issue. */
  async apply(
    actor: Actor,
    project: Project,
    issue: Issue,
    params: IssueFields,
    isNew: boolean,
  ): Promise<Related> {
    const wanted = await this.assignment.wanted(params, isNew ? asNew(issue) : issue);
    const assigned = wanted === undefined ? null : await this.assignment.set(issue, wanted);
    const { labels } = params;
    const labelled = labels === undefined ? null : await this.label(actor, project, issue, labels ?? []);
    await this.setEpic(actor, project, issue, params);
    return { note: assigned?.note ?? null, changes: { ...assigned?.changes, ...labelled } };
  }

  private async label(
    actor: Actor,
    project: Project,
    issue: Issue,
    names: readonly string[],
  ): Promise<Readonly<Record<'labels', ChangedValue>> | null> {
    const on = { kind: 'Issue', id: issue.id } as const;
    const create = PROJECT_POLICY.manage_labels(actor, project);
    const labels = await this.labelling.resolve(placeOfProject(project), names, { create });
    const previous = await this.labelling.of(on);
    const { added, removed } = await this.labelling.set(on, labels, actor.user?.id ?? null);
    if (added.length === 0 && removed.length === 0) return null;
    const current = await this.labelling.of(on);
    return { labels: { previous: previous.map(labelJson), current: current.map(labelJson) } };
  }

  private async setEpic(actor: Actor, project: Project, issue: Issue, params: IssueFields): Promise<void> {
    const named = epicNamed(params);
    if (named !== undefined) await this.epics.assign(actor, issue, project, named);
  }
}

function epicNamed({
  epic_id: id,
  epic_iid: iid,
}: IssueFields): { id: number } | { iid: number } | null | undefined {
  if (id !== undefined) return id === null || id === 0 ? null : { id };
  if (iid === undefined) return undefined;
  return iid === null || iid === 0 ? null : { iid };
}

/** A label as hooks are told of it. */
export const labelJson = (label: Label) => ({
  id: label.id,
  title: label.title,
  color: label.color,
  project_id: label.projectId,
  created_at: label.createdAt.toISOString(),
  updated_at: label.updatedAt.toISOString(),
  template: false,
  description: label.description,
  type: label.type,
  group_id: label.groupId,
});
