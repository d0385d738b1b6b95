import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { DomainError, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { LabelDescriptions } from './label-descriptions.service';
import type { LabelDetails } from './label-details';
import { LabelSubscriptionsRepository } from './label-subscriptions.repository';
import { LabelsRepository } from './labels.repository';
import type { Place } from './place';

/** Who wants to hear of what gets a label. */
@Injectable()
export class LabelFollowers {
  constructor(
    private readonly database: Database,
    private readonly labels: LabelsRepository,
    private readonly subscriptions: LabelSubscriptionsRepository,
    private readonly descriptions: LabelDescriptions,
  ) {}

  /** Throws `not_modified` where it is so already, "404 Label Not Found". */
  async set(actor: Actor, place: Place, idOrTitle: string, subscribed: boolean): Promise<LabelDetails> {
    const user = signedIn(actor);
    const label = await this.database.transaction(async () => {
      const found = await this.labels.find(place, 'ancestors', idOrTitle);
      const held = found && (await this.labels.hold(found.id));
      if (!held) throw notFound('Label');
      const isChanged = await this.subscriptions.set(user.id, place, held, subscribed);
      if (!isChanged) throw new DomainError({ kind: 'not_modified' });
      return held;
    });
    return this.descriptions.describeOne(actor, place, label);
  }
}
