import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AwardEmoji } from './award-emoji.service';
import {
  SnippetAward,
  SnippetAwards,
  SnippetNoteAward,
  SnippetNoteAwards,
  NewSnippetAward,
  NewSnippetNoteAward,
} from './award.params';
import { presentAwardEmoji } from './award.presenter';
import { Awardables } from './awardables.service';

/** The reference shows emoji to whoever is signed in alone. */
const SIGNED_IN = { access: 'project:reader', loginFirst: true } as const;

/** Emoji on a snippet of a project, and on the notes of it. */
@Controller()
export class SnippetAwardsController {
  constructor(
    private readonly awards: AwardEmoji,
    private readonly awardables: Awardables,
  ) {}

  @Endpoint('GET /projects/:id/snippets/:snippet_id/award_emoji', {
    ...SIGNED_IN,
    params: SnippetAwards,
    presents: presentAwardEmoji,
    paginated: true,
  })
  async list(call: ProjectCall<typeof SnippetAwards>) {
    return this.awards.list(await this.target(call), call.page);
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: SnippetAward,
    presents: presentAwardEmoji,
  })
  async show(call: ProjectCall<typeof SnippetAward>) {
    return this.awards.show(await this.target(call), call.params.award_id);
  }

  @Endpoint('POST /projects/:id/snippets/:snippet_id/award_emoji', {
    ...SIGNED_IN,
    params: NewSnippetAward,
    presents: presentAwardEmoji,
  })
  async give(call: ProjectCall<typeof NewSnippetAward>) {
    return this.awards.give(call.actor, await this.target(call), call.params.name);
  }

  @Endpoint('DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: SnippetAward,
  })
  async remove(call: ProjectCall<typeof SnippetAward>) {
    return this.awards.remove(
      call.actor,
      await this.target(call),
      call.params.award_id,
      call.unmodifiedSince,
    );
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji', {
    ...SIGNED_IN,
    params: SnippetNoteAwards,
    presents: presentAwardEmoji,
    paginated: true,
  })
  async listNote(call: ProjectCall<typeof SnippetNoteAwards>) {
    return this.awards.list(await this.note(call), call.page);
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: SnippetNoteAward,
    presents: presentAwardEmoji,
  })
  async showNote(call: ProjectCall<typeof SnippetNoteAward>) {
    return this.awards.show(await this.note(call), call.params.award_id);
  }

  @Endpoint('POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji', {
    ...SIGNED_IN,
    params: NewSnippetNoteAward,
    presents: presentAwardEmoji,
  })
  async giveNote(call: ProjectCall<typeof NewSnippetNoteAward>) {
    return this.awards.give(call.actor, await this.note(call), call.params.name);
  }

  @Endpoint('DELETE /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id', {
    ...SIGNED_IN,
    params: SnippetNoteAward,
  })
  async removeNote(call: ProjectCall<typeof SnippetNoteAward>) {
    return this.awards.remove(call.actor, await this.note(call), call.params.award_id, call.unmodifiedSince);
  }

  private target({ actor, subject, params }: ProjectCall<typeof SnippetAwards>) {
    return this.awardables.snippet(actor, subject, params.snippet_id);
  }

  private async note(call: ProjectCall<typeof SnippetNoteAwards>) {
    return this.awardables.noteOn(call.actor, await this.target(call), call.params.note_id);
  }
}
