import { isAdmin, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { canonicalEmojiName } from '#libs/emoji';
import { notFound, requireUnmodified, unauthenticated } from '#libs/errors';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { NoteableRef } from '../../planning/planning.api';
import type { Award } from './award.entity';
import type { Awardable, AwardTarget } from './award-target';
import type { AwardedEmoji } from './awarded-emoji';
import { AwardsRepository } from './awards.repository';
import { emojiAlone } from './emoji-alone';

/** Emoji on whatever takes them. Who sees a thing is looked at before: see Awardables. */
@Injectable()
export class AwardEmoji {
  constructor(
    private readonly database: Database,
    private readonly awards: AwardsRepository,
    private readonly users: UserDirectory,
  ) {}

  async list({ target }: Awardable, request: PageRequest): Promise<Page<AwardedEmoji>> {
    const page = await this.awards.page(target, request);
    const users = await this.users.byIds(page.rows.map(({ userId }) => userId));
    return mapPage(page, (award) => ({ award, target, user: users.get(award.userId) ?? null }));
  }

  /** Throws "404 Not found" for what is no emoji on this thing. */
  async show({ target }: Awardable, awardId: number): Promise<AwardedEmoji> {
    const award = await this.awards.find(target, awardId);
    if (!award) throw notFound();
    return this.shown(target, award);
  }

  /**
   * Throws 404, with the reference's sentences, where the caller may not add any, where it is no emoji's name, and
   * where they have put the same one there already.
   */
  async give(actor: Actor, { target, takesAwards }: Awardable, name: string): Promise<AwardedEmoji> {
    if (!takesAwards) throw notFound('Award Emoji');
    const known = canonicalEmojiName(name);
    if (known === null) throw notFound(`Award Emoji ${refusalOf(name)}`);
    return this.add(actor, target, known);
  }

  /**
   * What a note says that is nothing but an emoji becomes one on the thing itself (specification, Notes); null for
   * any other text. For whoever has seen to it that the actor may write on the noteable. Throws as `give` does.
   */
  async fromNoteBody(actor: Actor, noteable: NoteableRef, body: string): Promise<AwardedEmoji | null> {
    const name = emojiAlone(body);
    return name === null ? null : this.add(actor, noteable, name);
  }

  /** Everybody removes their own, administrators any; the reference answers others with 401. */
  remove(actor: Actor, { target }: Awardable, awardId: number, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const award = await this.awards.findForChange(target, awardId);
      if (!award) throw notFound();
      if (award.userId !== signedIn(actor).id && !isAdmin(actor)) throw unauthenticated();
      requireUnmodified(award.updatedAt, unmodifiedSince);
      await this.awards.remove(award.id);
    });
  }

  private async add(actor: Actor, target: AwardTarget, name: string): Promise<AwardedEmoji> {
    const { id: userId } = signedIn(actor);
    const award = await this.database.transaction(async () => {
      if (!(await this.awards.holdTarget(target))) throw notFound('Award Emoji');
      return this.awards.insert(target, name, userId);
    });
    if (!award) throw notFound('Award Emoji Name has already been taken');
    return this.shown(target, award);
  }

  private async shown(target: AwardTarget, award: Award): Promise<AwardedEmoji> {
    const users = await this.users.byIds([award.userId]);
    return { award, target, user: users.get(award.userId) ?? null };
  }
}

const refusalOf = (name: string): string =>
  name.trim() === ''
    ? "Name can't be blank and Name is not included in the list"
    : 'Name is not included in the list';
