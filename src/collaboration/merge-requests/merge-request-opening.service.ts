import { signedIn } from '#libs/access';
import { Mentions, wordsOf } from '../../planning/planning.api';
import { Injectable } from '@nestjs/common';
import { MergeRequestJournal } from './merge-request-journal.service';
import { MergeRequestMarks, type WantedMarks } from './merge-request-marks.service';
import type { MergeRequest } from './merge-request.entity';
import { MergeRequestsRepository } from './merge-requests.repository';
import type { Proposal } from './proposals.service';
import { Versioning } from '../merge-request-versions/versioning.service';
import { WantedApprovals } from '../approvals/wanted-approvals.service';

/** What comes with a new merge request: marks, its first version, what its description names, and the word to hooks. */
@Injectable()
export class MergeRequestOpening {
  constructor(
    private readonly marks: MergeRequestMarks,
    private readonly versioning: Versioning,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly mentions: Mentions,
    private readonly journal: MergeRequestJournal,
    private readonly wantedApprovals: WantedApprovals,
  ) {}

  /** Call it before the merge request has its number. */
  keepPlace({ target }: Proposal, wanted: WantedMarks): Promise<void> {
    return this.marks.keepPlace(target, wanted);
  }

  /** In the transaction that has inserted it. Throws `validation` for fewer approvals than the project asks for. */
  async open(
    { actor, target, version }: Proposal,
    mergeRequest: MergeRequest,
    wanted: WantedMarks & { readonly approvals_before_merge?: number | null | undefined },
  ): Promise<void> {
    const { id: authorId } = signedIn(actor);
    await this.wantedApprovals.set(target, mergeRequest, wanted.approvals_before_merge);
    const told = await this.marks.set(actor, target, mergeRequest, wanted);
    await this.versioning.take(target, mergeRequest, version, authorId);
    await this.mergeRequests.save(mergeRequest);
    // Who has it to do from the start is no news.
    const news = told.notes.filter(({ action }) => action !== 'assignee');
    for (const { action, body } of news) await this.journal.note(mergeRequest, authorId, action, body);
    const { id, projectId } = mergeRequest;
    const place = { kind: 'MergeRequest', id } as const;
    await this.mentions.note({ in: place, projectId, authorId, text: wordsOf(mergeRequest) });
    await this.journal.tell(mergeRequest, { action: 'open', actorId: authorId });
  }
}
