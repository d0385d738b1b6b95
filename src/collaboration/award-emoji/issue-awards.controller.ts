import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AwardEmoji } from './award-emoji.service';
import {
  IssueAward,
  IssueAwards,
  IssueNoteAward,
  IssueNoteAwards,
  NewIssueAward,
  NewIssueNoteAward,
} from './award.params';
import { presentAwardEmoji } from './award.presenter';
import { Awardables } from './awardables.service';

/** The reference shows emoji to whoever is signed in alone. */
const SIGNED_IN = { access: 'project:reader', loginFirst: true } as const;

/** Emoji on an issue, and on the notes of it. */
@Controller()
export class IssueAwardsController {
  constructor(
    private readonly awards: AwardEmoji,
    private readonly awardables: Awardables,
  ) {}

  @Endpoint('GET /projects/:id/issues/:issue_iid/award_emoji', {
    ...SIGNED_IN,
    params: IssueAwards,
    presents: presentAwardEmoji,
    paginated: true,
  })
  async list(call: ProjectCall<typeof IssueAwards>) {
    return this.awards.list(await this.target(call), call.page);
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: IssueAward,
    presents: presentAwardEmoji,
  })
  async show(call: ProjectCall<typeof IssueAward>) {
    return this.awards.show(await this.target(call), call.params.award_id);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/award_emoji', {
    ...SIGNED_IN,
    params: NewIssueAward,
    presents: presentAwardEmoji,
  })
  async give(call: ProjectCall<typeof NewIssueAward>) {
    return this.awards.give(call.actor, await this.target(call), call.params.name);
  }

  @Endpoint('DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: IssueAward,
  })
  async remove(call: ProjectCall<typeof IssueAward>) {
    return this.awards.remove(
      call.actor,
      await this.target(call),
      call.params.award_id,
      call.unmodifiedSince,
    );
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji', {
    ...SIGNED_IN,
    params: IssueNoteAwards,
    presents: presentAwardEmoji,
    paginated: true,
  })
  async listNote(call: ProjectCall<typeof IssueNoteAwards>) {
    return this.awards.list(await this.note(call), call.page);
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: IssueNoteAward,
    presents: presentAwardEmoji,
  })
  async showNote(call: ProjectCall<typeof IssueNoteAward>) {
    return this.awards.show(await this.note(call), call.params.award_id);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji', {
    ...SIGNED_IN,
    params: NewIssueNoteAward,
    presents: presentAwardEmoji,
  })
  async giveNote(call: ProjectCall<typeof NewIssueNoteAward>) {
    return this.awards.give(call.actor, await this.note(call), call.params.name);
  }

  @Endpoint('DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: IssueNoteAward,
  })
  async removeNote(call: ProjectCall<typeof IssueNoteAward>) {
    return this.awards.remove(call.actor, await this.note(call), call.params.award_id, call.unmodifiedSince);
  }

  private target({ actor, subject, params }: ProjectCall<typeof IssueAwards>) {
    return this.awardables.issue(actor, subject, params.issue_iid);
  }

  private async note(call: ProjectCall<typeof IssueNoteAwards>) {
    return this.awardables.noteOn(call.actor, await this.target(call), call.params.note_id);
  }
}
