import { Database } from '#libs/database';
import { Events } from '#libs/events';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { ClosingIssues } from '../closing-issues/closing-issues.service';
import { HeadTraces } from './head-traces.service';
import { versionsToKeep } from './keep-versions.job';
import { mergeRequestVersioned } from '../merge-requests/merge-request-events';
import { MergeRequestVersionsRepository } from './merge-request-versions.repository';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import type { ReadVersion } from './version-reading.service';

/** Writes down new versions. */
@Injectable()
export class Versioning {
  constructor(
    private readonly database: Database,
    private readonly versions: MergeRequestVersionsRepository,
    private readonly closing: ClosingIssues,
    private readonly traces: HeadTraces,
    private readonly events: Events,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Gives a merge request its newest version; the caller saves it, in the same transaction, which has it locked. Whoever
   * waits for a new head is told, and its commits are kept.
   */
  async take(
    project: Project,
    mergeRequest: MergeRequest,
    version: ReadVersion,
    actorId: number | null,
  ): Promise<void> {
    if (!this.database.inTransaction) throw new Error('a version is written with what it is a version of');
    const oldHeadSha = mergeRequest.headSha;
    const { headSha, commits } = version;
    mergeRequest.takeVersion(version, version.realSize, new Date());
    await this.versions.add(mergeRequest.id, { ...version, commitShas: commits.map(({ sha }) => sha) });
    await this.closing.note(
      project,
      mergeRequest,
      commits.map(({ message }) => message),
    );
    if (oldHeadSha === headSha) return;
    await this.traces.renew(mergeRequest, oldHeadSha);
    const { id: mergeRequestId, projectId } = mergeRequest;
    await this.events.emit(mergeRequestVersioned, {
      projectId,
      mergeRequestId,
      oldHeadSha,
      headSha,
      actorId,
    });
    await this.jobs.enqueue(versionsToKeep, { mergeRequestId }, { key: String(mergeRequestId) });
  }
}

/**
 * In whose name a version is built that was found out when somebody opened or retargeted its merge request. What others
 * have pushed to a fork runs in the author's name: with no rights of people who never looked at it.
 */
export const bringerOf = (
  { isFromFork, authorId }: Pick<MergeRequest, 'isFromFork' | 'authorId'>,
  actorId: number,
): number | null => (isFromFork ? authorId : actorId);
