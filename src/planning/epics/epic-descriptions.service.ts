import { isAdmin, Level, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { UserDirectory, type Namespace } from '../../identity/identity.api';
import type { ReachedGroup } from '../../repository/repository.api';
import { Labelling } from '../labels/labelling.service';
import { Awards, NO_VOTES } from '../noteables/awards';
import type { DescribedEpic } from './described-epic';
import type { Epic } from './epic.entity';
import { EpicsRepository } from './epics.repository';

const NO_DAYS = { startDate: null, dueDate: null };

/** Gathers what records tell of epics: a constant number of queries, however many epics there are. */
@Injectable()
export class EpicDescriptions {
  constructor(
    private readonly epics: EpicsRepository,
    private readonly users: UserDirectory,
    private readonly labels: Labelling,
    private readonly awards: Awards,
  ) {}

  /** In the order given. The groups are those of the epics, which the caller sees. */
  async describe(
    actor: Actor,
    groups: readonly ReachedGroup[],
    epics: readonly Epic[],
  ): Promise<DescribedEpic[]> {
    if (epics.length === 0) return [];
    const ids = epics.map(({ id }) => id);
    const authors = await this.users.byIds(epics.map(({ authorId }) => authorId));
    const labels = await this.labels.ofMany('Epic', ids);
    const votes = await this.awards.votesOf('Epic', ids);
    const days = await this.epics.milestoneDays(ids);
    const groupOf = new Map(groups.map((group) => [group.id, group]));
    return epics.map((epic) => ({
      epic,
      groupPath: groupOf.get(epic.groupId)?.fullPath ?? '',
      author: authors.get(epic.authorId ?? 0) ?? null,
      labels: (labels.get(epic.id) ?? []).map(({ title }) => title),
      votes: votes.get(epic.id) ?? NO_VOTES,
      milestoneDays: days.get(epic.id) ?? NO_DAYS,
      isManaged: isAdmin(actor) || (groupOf.get(epic.groupId)?.level ?? Level.none) >= Level.reporter,
    }));
  }

  /** An epic of the group in which the actor has the level. */
  async describeOne(actor: Actor, group: Namespace, epic: Epic): Promise<DescribedEpic> {
    const { id, fullPath } = group;
    const [described] = await this.describe(actor, [{ id, fullPath, level: actor.level }], [epic]);
    if (!described) throw new Error('every epic is described');
    return described;
  }
}
