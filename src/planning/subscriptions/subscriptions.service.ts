import type { Actor, ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { IssuableKind } from '../issuables/issuable-tables';
import { mentionedPeople } from '../issuables/mentioned-people';
import { ParticipantsRepository } from '../issuables/participants.repository';
import type { SubscribableKind, SubscribableRef } from './subscribable';
import { SubscriptionsRepository } from './subscriptions.repository';

/** As much of an issue or merge request as tells whether somebody takes part in it. */
export interface Described {
  readonly id: number;
  readonly description: string | null;
}

/** What people want to hear of: what they have said so of, else what they take part in. */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly participants: ParticipantsRepository,
  ) {}

  /** False where it was so already, by the user's own word. */
  set(userId: number, ref: SubscribableRef, subscribed: boolean): Promise<boolean> {
    return this.subscriptions.set(userId, ref, subscribed);
  }

  /** What the user has said of each; what they have said nothing of is left out. */
  explicitOf(userId: number, kind: SubscribableKind, ids: readonly number[]) {
    return this.subscriptions.explicitOf(userId, kind, ids);
  }

  /** Which of them the actor hears of, in two queries. */
  async heardOf(
    { user }: Pick<Actor, 'user'>,
    kind: IssuableKind,
    issuables: readonly Described[],
  ): Promise<ReadonlySet<number>> {
    if (!user) return new Set();
    const ids = issuables.map(({ id }) => id);
    const explicit = await this.subscriptions.explicitOf(user.id, kind, ids);
    const takenPartIn = await this.participants.takenPartIn(user.id, kind, ids);
    const isHeard = (issuable: Described): boolean =>
      explicit.get(issuable.id) ?? (takenPartIn.has(issuable.id) || calls(issuable, user));
    return new Set(issuables.filter(isHeard).map(({ id }) => id));
  }

  /** Makes the user hear of it, or not any more. False where that was so already, be it by taking part. */
  change(user: ActorUser, kind: IssuableKind, issuable: Described, subscribed: boolean): Promise<boolean> {
    return this.database.transaction(async () => {
      const heard = await this.heardOf({ user }, kind, [issuable]);
      if (heard.has(issuable.id) === subscribed) return false;
      await this.subscriptions.set(user.id, { kind, id: issuable.id }, subscribed);
      return true;
    });
  }
}

const calls = ({ description }: Described, { username }: ActorUser): boolean =>
  mentionedPeople(description).includes(username.toLowerCase());
