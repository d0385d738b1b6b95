import { atLeast, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import { Epics, IssueLookup } from '../../planning/planning.api';
import { GroupReach, type Project } from '../../repository/repository.api';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import { Snippets } from '../snippets/snippets.service';
import type { Discussed } from './discussed';
import { rightsIn } from './rights-in-project';

/** What the paths of notes name, as far as the caller sees it. All throw "404 Not found" for what is missing or hidden. */
@Injectable()
export class DiscussedThings {
  constructor(
    private readonly issues: IssueLookup,
    private readonly mergeRequests: MergeRequests,
    private readonly snippets: Snippets,
    private readonly epics: Epics,
    private readonly groups: GroupReach,
  ) {}

  async issue(actor: Actor, project: Project, iid: number): Promise<Discussed> {
    const { id, authorId, discussionLocked } = await this.issues.require(actor, project, iid);
    return {
      ref: { kind: 'Issue', id },
      iid,
      authorId,
      ...rightsIn(project, actor, discussionLocked ?? false),
    };
  }

  async mergeRequest(actor: Actor, project: Project, iid: number): Promise<Discussed> {
    const { id, authorId, discussionLocked } = await this.mergeRequests.require(actor, project, iid);
    const rights = rightsIn(project, actor, discussionLocked ?? false);
    return { ref: { kind: 'MergeRequest', id }, iid, authorId, ...rights };
  }

  async snippet(actor: Actor, project: Project, snippetId: number): Promise<Discussed> {
    const { id, authorId } = await this.snippets.require(actor, project, snippetId);
    return { ref: { kind: 'Snippet', id }, iid: null, authorId, ...rightsIn(project, actor, false) };
  }

  /** By its id, not its number in the group. */
  async epic(actor: Actor, group: Namespace, epicId: number): Promise<Discussed> {
    const { id, iid, authorId, groupId } = await this.epics.requireById(actor, group, epicId);
    const there = groupId === group.id ? actor : await this.inside(actor, groupId);
    return {
      ref: { kind: 'Epic', id },
      iid,
      project: null,
      authorId,
      isOpen: true,
      mayComment: atLeast('reporter')(there, group),
      mayModerate: atLeast('maintainer')(there, group),
      maySettle: false,
      mayDate: false,
    };
  }

  /** The caller with their level in a group inside of the one of the path. */
  private async inside(actor: Actor, groupId: number): Promise<Actor> {
    const [reached] = await this.groups.among(actor, [groupId]);
    return { ...actor, level: reached?.level ?? actor.level };
  }
}
