import { Database } from '#libs/database';
import { Injectable, Logger } from '@nestjs/common';
import { IssueClosing } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { MergeRequestJournal } from '../merge-requests/merge-request-journal.service';
import type { MergeOutcome, MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { MergeAttemptsRepository } from './merge-attempts.repository';
import { MergeTexts } from './merge-texts.service';

/** Writes down that a merge request has been merged, and does what follows from that. */
@Injectable()
export class MergeCompletion {
  private readonly logger = new Logger(MergeCompletion.name);

  constructor(
    private readonly database: Database,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly attempts: MergeAttemptsRepository,
    private readonly journal: MergeRequestJournal,
    private readonly closing: IssueClosing,
    private readonly texts: MergeTexts,
  ) {}

  /** For one that is locked, with a note of its merge. Null where it is not locked any more. */
  async complete(project: Project, id: number, outcome: MergeOutcome): Promise<MergeRequest | null> {
    const merged = await this.database.transaction(async () => {
      const mergeRequest = await this.mergeRequests.findByIdForChange(id);
      if (mergeRequest?.state !== 'locked') return null;
      await this.journal.merged(mergeRequest, outcome);
      return mergeRequest;
    });
    if (merged) await this.follow(project, merged);
    return merged;
  }

  /** For one whose commits have come to the target by a push. What is not open any more is left alone. */
  async completePushed(project: Project, id: number, outcome: MergeOutcome, tipSha: string): Promise<void> {
    const merged = await this.database.transaction(async () => {
      const mergeRequest = await this.mergeRequests.findByIdForChange(id);
      if (!mergeRequest?.isOpen) return null;
      const { userId, mergeCommitSha } = outcome;
      const note = { mergeRequestId: id, userId, tipSha, mergeCommitSha, squashCommitSha: null };
      await this.attempts.begin({ ...note, removesSourceBranch: false });
      await this.journal.merged(mergeRequest, outcome);
      return mergeRequest;
    });
    if (merged) await this.follow(project, merged);
  }

  /**
   * Closes issues. Where it fails the note stays, and recovery tries again; it stays too where the source branch is
   * still to be removed, which is for the caller to do without the lock.
   */
  async follow(project: Project, merged: MergeRequest): Promise<void> {
    try {
      await this.closeIssues(project, merged);
      await this.attempts.closedIssues(merged.id);
    } catch (error) {
      this.logger.error({ err: error, mergeRequestId: merged.id }, 'what follows from a merge has failed');
    }
  }

  /** Those that it says it closes, as far as whoever merged it may; what comes to other branches closes nothing. */
  private async closeIssues(project: Project, merged: MergeRequest): Promise<void> {
    const { id, iid, mergedById: actorId, mergedAt: at } = merged;
    if (merged.targetBranch !== project.defaultBranch || actorId === null || at === null) return;
    const text = await this.texts.closingText(project, merged);
    await this.closing.closeNamed({ project, actorId, text, by: { kind: 'merge_request', id, iid }, at });
  }
}
