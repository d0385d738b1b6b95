import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AwardEmoji } from './award-emoji.service';
import {
  MergeRequestAward,
  MergeRequestAwards,
  MergeRequestNoteAward,
  MergeRequestNoteAwards,
  NewMergeRequestAward,
  NewMergeRequestNoteAward,
} from './award.params';
import { presentAwardEmoji } from './award.presenter';
import { Awardables } from './awardables.service';

/** The reference shows emoji to whoever is signed in alone. */
const SIGNED_IN = { access: 'project:reader', loginFirst: true } as const;

/** Emoji on a merge request, and on the notes of it. */
@Controller()
export class MergeRequestAwardsController {
  constructor(
    private readonly awards: AwardEmoji,
    private readonly awardables: Awardables,
  ) {}

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/award_emoji', {
    ...SIGNED_IN,
    params: MergeRequestAwards,
    presents: presentAwardEmoji,
    paginated: true,
  })
  async list(call: ProjectCall<typeof MergeRequestAwards>) {
    return this.awards.list(await this.target(call), call.page);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: MergeRequestAward,
    presents: presentAwardEmoji,
  })
  async show(call: ProjectCall<typeof MergeRequestAward>) {
    return this.awards.show(await this.target(call), call.params.award_id);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/award_emoji', {
    ...SIGNED_IN,
    params: NewMergeRequestAward,
    presents: presentAwardEmoji,
  })
  async give(call: ProjectCall<typeof NewMergeRequestAward>) {
    return this.awards.give(call.actor, await this.target(call), call.params.name);
  }

  @Endpoint('DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: MergeRequestAward,
  })
  async remove(call: ProjectCall<typeof MergeRequestAward>) {
    return this.awards.remove(
      call.actor,
      await this.target(call),
      call.params.award_id,
      call.unmodifiedSince,
    );
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji', {
    ...SIGNED_IN,
    params: MergeRequestNoteAwards,
    presents: presentAwardEmoji,
    paginated: true,
  })
  async listNote(call: ProjectCall<typeof MergeRequestNoteAwards>) {
    return this.awards.list(await this.note(call), call.page);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: MergeRequestNoteAward,
    presents: presentAwardEmoji,
  })
  async showNote(call: ProjectCall<typeof MergeRequestNoteAward>) {
    return this.awards.show(await this.note(call), call.params.award_id);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji', {
    ...SIGNED_IN,
    params: NewMergeRequestNoteAward,
    presents: presentAwardEmoji,
  })
  async giveNote(call: ProjectCall<typeof NewMergeRequestNoteAward>) {
    return this.awards.give(call.actor, await this.note(call), call.params.name);
  }

  @Endpoint('DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: MergeRequestNoteAward,
  })
  async removeNote(call: ProjectCall<typeof MergeRequestNoteAward>) {
    return this.awards.remove(call.actor, await this.note(call), call.params.award_id, call.unmodifiedSince);
  }

  private target({ actor, subject, params }: ProjectCall<typeof MergeRequestAwards>) {
    return this.awardables.mergeRequest(actor, subject, params.merge_request_iid);
  }

  private async note(call: ProjectCall<typeof MergeRequestNoteAwards>) {
    return this.awardables.noteOn(call.actor, await this.target(call), call.params.note_id);
  }
}
