import { signedIn, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { MergeRequestJournal } from './merge-request-journal.service';
import type { MergeRequest } from './merge-request.entity';
import { Proposals } from './proposals.service';
import { SourceAccess } from '../merge-request-forks/source-access.service';
import { SourceVersions } from '../merge-request-versions/source-versions.service';
import { bringerOf, Versioning } from '../merge-request-versions/versioning.service';

/** Closes merge requests and opens them again. In the transaction that holds them. */
@Injectable()
export class MergeRequestStates {
  constructor(
    private readonly proposals: Proposals,
    private readonly sources: SourceVersions,
    private readonly access: SourceAccess,
    private readonly versioning: Versioning,
    private readonly journal: MergeRequestJournal,
  ) {}

  /**
   * Does nothing where it cannot come to that state. Throws 409 for one of whose branches another is open by now, and 403
   * for whoever would open one from a fork whose code they may not read.
   */
  async set(
    actor: Actor,
    project: Project,
    mergeRequest: MergeRequest,
    event: 'close' | 'reopen',
  ): Promise<void> {
    const { id: actorId } = signedIn(actor);
    if (event === 'close') {
      if (mergeRequest.close(actorId, new Date())) await this.journal.stateChanged(mergeRequest, actorId);
      return;
    }
    await this.reopen(actor, project, mergeRequest);
  }

  /** Nobody has followed its branches meanwhile. One whose fork is gone stays closed. */
  private async reopen(actor: Actor, project: Project, mergeRequest: MergeRequest): Promise<void> {
    const { id: actorId } = signedIn(actor);
    const source = await this.sources.projectOf(project, mergeRequest);
    if (!source || mergeRequest.state !== 'closed') return;
    await this.access.require(actor, project, source);
    await this.proposals.refuseSecond(source, project, mergeRequest);
    mergeRequest.reopen(new Date());
    const tips = await this.sources.tips(project, source, mergeRequest);
    mergeRequest.sourceBranchDeleted = tips.source === null;
    const version = await this.sources.newer(project, source, mergeRequest, tips);
    const broughtBy = bringerOf(mergeRequest, actorId);
    if (version) await this.versioning.take(project, mergeRequest, version, broughtBy);
    await this.journal.stateChanged(mergeRequest, actorId);
  }
}
