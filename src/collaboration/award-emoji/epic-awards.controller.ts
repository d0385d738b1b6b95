import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AwardEmoji } from './award-emoji.service';
import {
  EpicAward,
  EpicAwards,
  EpicNoteAward,
  EpicNoteAwards,
  NewEpicAward,
  NewEpicNoteAward,
} from './award.params';
import { presentAwardEmoji } from './award.presenter';
import { Awardables } from './awardables.service';

/** The reference shows emoji to whoever is signed in alone. */
const SIGNED_IN = { access: 'group:reader', loginFirst: true, feature: 'epics' } as const;

/** Emoji on an epic, and on the notes of it. */
@Controller()
export class EpicAwardsController {
  constructor(
    private readonly awards: AwardEmoji,
    private readonly awardables: Awardables,
  ) {}

  @Endpoint('GET /groups/:id/epics/:epic_iid/award_emoji', {
    ...SIGNED_IN,
    params: EpicAwards,
    presents: presentAwardEmoji,
    paginated: true,
  })
  async list(call: GroupCall<typeof EpicAwards>) {
    return this.awards.list(await this.target(call), call.page);
  }

  @Endpoint('GET /groups/:id/epics/:epic_iid/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: EpicAward,
    presents: presentAwardEmoji,
  })
  async show(call: GroupCall<typeof EpicAward>) {
    return this.awards.show(await this.target(call), call.params.award_id);
  }

  @Endpoint('POST /groups/:id/epics/:epic_iid/award_emoji', {
    ...SIGNED_IN,
    params: NewEpicAward,
    presents: presentAwardEmoji,
  })
  async give(call: GroupCall<typeof NewEpicAward>) {
    return this.awards.give(call.actor, await this.target(call), call.params.name);
  }

  @Endpoint('DELETE /groups/:id/epics/:epic_iid/award_emoji/:award_id', { ...SIGNED_IN, params: EpicAward })
  async remove(call: GroupCall<typeof EpicAward>) {
    return this.awards.remove(
      call.actor,
      await this.target(call),
      call.params.award_id,
      call.unmodifiedSince,
    );
  }

  @Endpoint('GET /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji', {
    ...SIGNED_IN,
    params: EpicNoteAwards,
    presents: presentAwardEmoji,
    paginated: true,
  })
  async listNote(call: GroupCall<typeof EpicNoteAwards>) {
    return this.awards.list(await this.note(call), call.page);
  }

  @Endpoint('GET /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: EpicNoteAward,
    presents: presentAwardEmoji,
  })
  async showNote(call: GroupCall<typeof EpicNoteAward>) {
    return this.awards.show(await this.note(call), call.params.award_id);
  }

  @Endpoint('POST /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji', {
    ...SIGNED_IN,
    params: NewEpicNoteAward,
    presents: presentAwardEmoji,
  })
  async giveNote(call: GroupCall<typeof NewEpicNoteAward>) {
    return this.awards.give(call.actor, await this.note(call), call.params.name);
  }

  @Endpoint('DELETE /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: EpicNoteAward,
  })
  async removeNote(call: GroupCall<typeof EpicNoteAward>) {
    return this.awards.remove(call.actor, await this.note(call), call.params.award_id, call.unmodifiedSince);
  }

  private target({ actor, subject, params }: GroupCall<typeof EpicAwards>) {
    return this.awardables.epic(actor, subject, params.epic_iid);
  }

  private async note(call: GroupCall<typeof EpicNoteAwards>) {
    return this.awardables.noteOn(call.actor, await this.target(call), call.params.note_id);
  }
}
