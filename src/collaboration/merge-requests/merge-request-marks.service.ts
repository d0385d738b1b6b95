import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import {
  assigneesNote,
  Labelling,
  milestoneNote,
  Milestones,
  placeOfProject,
  type Label,
} from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { AssigneesRepository } from './assignees.repository';
import type { MergeRequest } from './merge-request.entity';
import { NOTHING_TOLD, together, type ToldChange } from '../merge-request-hooks/told-change';

/** What sorts merge requests; what is undefined stays. */
export interface WantedMarks {
  readonly assignee_id?: number | null | undefined;
  readonly assignee_ids?: readonly number[] | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly milestone_id?: number | null | undefined;
}

/** Labels, assignees and milestones of merge requests. */
@Injectable()
export class MergeRequestMarks {
  constructor(
    private readonly assignees: AssigneesRepository,
    private readonly users: UserDirectory,
    private readonly labelling: Labelling,
    private readonly milestones: Milestones,
    private readonly license: License,
  ) {}

  /** Call it before all else in the transaction. */
  async keepPlace(project: Project, { labels, milestone_id: milestoneId }: WantedMarks): Promise<void> {
    if (milestoneId || labels?.length) await this.labelling.keepPlace(placeOfProject(project));
  }

  /**
   * Sets what is wanted, and nothing for those who may not sort the project's merge requests, as the reference has it.
   * Call it in the transaction that holds the merge request, and save it afterwards.
   */
  async set(
    actor: Actor,
    project: Project,
    mergeRequest: MergeRequest,
    wanted: WantedMarks,
  ): Promise<ToldChange> {
    if (!PROJECT_POLICY.admin_merge_requests(actor, project)) return NOTHING_TOLD;
    return together(
      await this.setMilestone(project, mergeRequest, wanted.milestone_id),
      await this.setAssignees(project, mergeRequest, wanted),
      await this.setLabels(actor, project, mergeRequest, wanted.labels),
    );
  }

  /** One that cannot be used there is none. */
  private async setMilestone(
    project: Project,
    mergeRequest: MergeRequest,
    id: number | null | undefined,
  ): Promise<ToldChange> {
    if (id === undefined) return NOTHING_TOLD;
    const milestone = id ? await this.milestones.findUsable(placeOfProject(project), id) : null;
    const previous = mergeRequest.milestoneId;
    const current = milestone?.id ?? null;
    if (previous === current) return NOTHING_TOLD;
    mergeRequest.milestoneId = current;
    return {
      notes: [{ action: 'milestone', body: milestoneNote(milestone) }],
      changes: { milestone_id: { previous, current } },
    };
  }

  private async setAssignees(
    project: Project,
    { id }: MergeRequest,
    wanted: WantedMarks,
  ): Promise<ToldChange> {
    const given = wantedAssignees(wanted);
    if (given === undefined) return NOTHING_TOLD;
    const most = this.license.has('multiple_assignees') ? given.length : 1;
    const current = await this.assignees.assignable(project.id, given.slice(0, most));
    // Whoever may not be given it takes it from nobody.
    if (current.length === 0 && given.length > 0) return NOTHING_TOLD;
    const previous = await this.assignees.of(id);
    const added = current.filter((userId) => !previous.includes(userId));
    const removed = previous.filter((userId) => !current.includes(userId));
    if (added.length === 0 && removed.length === 0) return NOTHING_TOLD;
    await this.assignees.set(id, current);
    const people = await this.users.byIds([...added, ...removed]);
    const names = (ids: readonly number[]) => ids.flatMap((userId) => people.get(userId)?.username ?? []);
    const note = assigneesNote(names(added), names(removed));
    return { notes: note ? [note] : [], changes: { assignees: { previous, current } } };
  }

  /** Label changes are events of their own, not notes. */
  private async setLabels(
    actor: Actor,
    project: Project,
    { id }: MergeRequest,
    names: readonly string[] | undefined,
  ): Promise<ToldChange> {
    if (names === undefined) return NOTHING_TOLD;
    const on = { kind: 'MergeRequest', id } as const;
    const create = PROJECT_POLICY.manage_labels(actor, project);
    const labels = await this.labelling.resolve(placeOfProject(project), names, { create });
    const previous = await this.labelling.of(on);
    const { added, removed } = await this.labelling.set(on, labels, signedIn(actor).id);
    if (added.length === 0 && removed.length === 0) return NOTHING_TOLD;
    const current = await this.labelling.of(on);
    return { notes: [], changes: { labels: { previous: idsOf(previous), current: idsOf(current) } } };
  }
}

const idsOf = (labels: readonly Label[]): number[] => labels.map(({ id }) => id);

function wantedAssignees({ assignee_ids: ids, assignee_id: id }: WantedMarks): number[] | undefined {
  const given = ids ?? (id === undefined ? undefined : [id ?? 0]);
  return given && [...new Set(given)].filter((userId) => userId > 0);
}
