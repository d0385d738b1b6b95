import { atLeast, Level, PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import { Epics, IssueLookup, type NoteableRef } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import { Snippets } from '../snippets/snippets.service';
import type { Awardable } from './award-target';
import { AwardsRepository } from './awards.repository';

interface NoteableThatTakesAwards {
  readonly target: NoteableRef;
  readonly takesAwards: boolean;
}

/** What the paths of award emoji name, as far as the caller sees it. All throw 404 for what is missing or hidden. */
@Injectable()
export class Awardables {
  constructor(
    private readonly issues: IssueLookup,
    private readonly mergeRequests: MergeRequests,
    private readonly snippets: Snippets,
    private readonly epics: Epics,
    private readonly awards: AwardsRepository,
  ) {}

  async issue(actor: Actor, project: Project, iid: number): Promise<NoteableThatTakesAwards> {
    const { id, discussionLocked } = await this.issues.require(actor, project, iid);
    return { target: { kind: 'Issue', id }, takesAwards: mayAward(actor, project, discussionLocked) };
  }

  async mergeRequest(actor: Actor, project: Project, iid: number): Promise<NoteableThatTakesAwards> {
    const { id, discussionLocked } = await this.mergeRequests.require(actor, project, iid);
    return { target: { kind: 'MergeRequest', id }, takesAwards: mayAward(actor, project, discussionLocked) };
  }

  async snippet(actor: Actor, project: Project, snippetId: number): Promise<NoteableThatTakesAwards> {
    const { id } = await this.snippets.require(actor, project, snippetId);
    return { target: { kind: 'Snippet', id }, takesAwards: mayAward(actor, project, null) };
  }

  /** Whoever may write notes on an epic may award it. */
  async epic(actor: Actor, group: Namespace, iid: number): Promise<NoteableThatTakesAwards> {
    const { id } = await this.epics.require(group, iid);
    return { target: { kind: 'Epic', id }, takesAwards: atLeast('reporter')(actor, group) };
  }

  /** A note on one of those; what the system writes takes no emoji. */
  async noteOn(
    actor: Actor,
    { target, takesAwards }: NoteableThatTakesAwards,
    noteId: number,
  ): Promise<Awardable> {
    const note = await this.awards.noteOn(target, noteId, signedIn(actor));
    if (!note) throw notFound();
    return { target: { kind: 'Note', id: note.id }, takesAwards: takesAwards && !note.system };
  }
}

/** A locked discussion is open to members alone. */
const mayAward = (actor: Actor, project: Project, isLocked: boolean | null): boolean =>
  PROJECT_POLICY.award_emoji(actor, project) && (!isLocked || actor.level >= Level.guest);
