import { Injectable } from '@nestjs/common';
import { Mentions, wordsOf } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { ClosingIssues } from '../closing-issues/closing-issues.service';
import { MergeRequestJournal } from './merge-request-journal.service';
import type { MergeRequest } from './merge-request.entity';
import { MergeRequestsRepository } from './merge-requests.repository';
import type { ToldChange } from '../merge-request-hooks/told-change';
import { VersionReading } from '../merge-request-versions/version-reading.service';
import type { Before } from './wording-changes';

/** Something was written about a merge request. */
export interface Edit {
  readonly project: Project;
  /** As it is now. */
  readonly mergeRequest: MergeRequest;
  readonly actorId: number;
  readonly before: Before;
  readonly told: ToldChange;
}

/** What comes of a change: it is saved, told in the discussion, to what it names, and to hooks. */
@Injectable()
export class EditEffects {
  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly journal: MergeRequestJournal,
    private readonly mentions: Mentions,
    private readonly closing: ClosingIssues,
    private readonly reading: VersionReading,
  ) {}

  /** In the transaction of the change. */
  async of({ project, mergeRequest, actorId, before, told }: Edit): Promise<void> {
    const isReworded = before.title !== mergeRequest.title || before.description !== mergeRequest.description;
    if (isReworded) mergeRequest.markEdited(actorId, new Date());
    mergeRequest.updatedAt = new Date();
    await this.mergeRequests.save(mergeRequest);
    for (const { action, body } of told.notes) await this.journal.note(mergeRequest, actorId, action, body);
    if (isReworded || before.targetBranch !== mergeRequest.targetBranch)
      await this.noteClosing(project, mergeRequest);
    const { id, projectId } = mergeRequest;
    const place = { kind: 'MergeRequest', id } as const;
    if (isReworded)
      await this.mentions.note({ in: place, projectId, authorId: actorId, text: wordsOf(mergeRequest) });
    if (Object.keys(told.changes).length > 0)
      await this.journal.tell(mergeRequest, { action: 'update', actorId, changes: told.changes });
  }

  private async noteClosing(project: Project, mergeRequest: MergeRequest): Promise<void> {
    const { diffRefs } = mergeRequest;
    const commits = diffRefs ? await this.reading.commits(project, diffRefs) : [];
    await this.closing.note(
      project,
      mergeRequest,
      commits.map(({ message }) => message),
    );
  }
}
