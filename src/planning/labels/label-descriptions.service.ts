import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { LabelDetails } from './label-details';
import { LabelFiguresRepository } from './label-figures.repository';
import { LabelSubscriptionsRepository } from './label-subscriptions.repository';
import type { Label } from './label.entity';
import type { Place } from './place';

interface Wish {
  readonly counts: boolean;
}

/** Gathers what records tell of labels: a constant number of queries, however many labels there are. */
@Injectable()
export class LabelDescriptions {
  constructor(
    private readonly figures: LabelFiguresRepository,
    private readonly subscriptions: LabelSubscriptionsRepository,
  ) {}

  /** As the actor sees them in the place; in the order given. */
  async describe(
    { user }: Actor,
    place: Place,
    labels: readonly Label[],
    wish: Wish = { counts: false },
  ): Promise<LabelDetails[]> {
    const ids = labels.map(({ id }) => id);
    if (ids.length === 0) return [];
    const followed = user ? await this.subscriptions.followed(user.id, place, ids) : null;
    const priorities = place.projectId === null ? null : await this.figures.priorities(place.projectId, ids);
    const counts = wish.counts ? await this.figures.counts(user, ids) : null;
    return labels.map((label) => ({
      label,
      isFollowed: followed?.has(label.id) ?? false,
      priority: priorities?.get(label.id) ?? null,
      counts: counts?.get(label.id) ?? null,
    }));
  }

  async describeOne(actor: Actor, place: Place, label: Label): Promise<LabelDetails> {
    const [details] = await this.describe(actor, place, [label]);
    if (!details) throw new Error('every label is described');
    return details;
  }
}
