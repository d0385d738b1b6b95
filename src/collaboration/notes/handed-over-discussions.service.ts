import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { ResolvableDiscussions, type TakenOver } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { DiscussedThings } from './discussed-things.service';
import { DiscussionSettling } from './discussion-settling.service';
import { DiscussionsRepository } from './discussions.repository';
import { SystemNotesRepository } from './system-notes.repository';

/** An issue takes over so many discussions at most. */
const MOST_DISCUSSIONS = 1_000;

/** Ends discussions of a merge request that go on in an issue. */
@Injectable()
export class HandedOverDiscussions extends ResolvableDiscussions {
  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly things: DiscussedThings,
    private readonly discussions: DiscussionsRepository,
    private readonly settling: DiscussionSettling,
    private readonly systemNotes: SystemNotesRepository,
  ) {
    super();
  }

  async resolve(
    actor: Actor,
    project: Project,
    { mergeRequestIid, discussionId }: TakenOver,
    issue: { readonly id: number; readonly iid: number },
  ): Promise<void> {
    if (!PROJECT_POLICY.read_merge_requests(actor, project)) return;
    if (!(await this.mergeRequests.find(project.id, mergeRequestIid))) return;
    const on = await this.things.mergeRequest(actor, project, mergeRequestIid);
    const open = await this.discussions.openOnes(on.ref.id, MOST_DISCUSSIONS);
    const taken = discussionId === null ? open : open.filter((id) => id === discussionId);
    const settled = await this.settling.settleSome(actor, on, taken);
    await this.systemNotes.record(
      settled.map((id) => ({
        on: { kind: 'MergeRequest', id: on.ref.id },
        discussionId: id,
        authorId: signedIn(actor).id,
        action: 'discussion',
        body: `created #${issue.iid} to continue this discussion`,
        about: { kind: 'Issue', id: issue.id },
      })),
    );
  }
}
