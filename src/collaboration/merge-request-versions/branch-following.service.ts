import { Database } from '#libs/database';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository, type Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { PushNotes } from './push-notes.service';
import { SourceVersions, type Tips } from './source-versions.service';
import type { ReadVersion } from './version-reading.service';
import { Versioning } from './versioning.service';

/** A branch that moves more often than this while one look is taken is left to the next event. */
const MOST_ATTEMPTS = 10;

/** A merge request and its branches, as they were when nobody was kept from changing them. */
interface Seen {
  readonly project: Project;
  readonly source: Project | null;
  readonly mergeRequest: MergeRequest;
  readonly tips: Tips;
  readonly version: ReadVersion | null;
}

/** Brings merge requests up to what their branches are now. */
@Injectable()
export class BranchFollowing {
  constructor(
    private readonly database: Database,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly projects: ProjectsRepository,
    private readonly sources: SourceVersions,
    private readonly versioning: Versioning,
    private readonly notes: PushNotes,
  ) {}

  /**
   * Idempotent: a new version is made where the head, or the point where the change left its target, is another. One
   * that is not open, or whose branch is gone, keeps the version it has.
   */
  async follow(id: number, actorId: number | null): Promise<void> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const seen = await this.look(id);
      if (!seen || (await this.settle(seen, actorId))) return;
    }
    throw new Error(`the branches of merge request ${id} do not stand still`);
  }

  private async look(id: number): Promise<Seen | null> {
    const mergeRequest = await this.mergeRequests.findById(id);
    const project = mergeRequest && (await this.projects.find(mergeRequest.projectId));
    if (!mergeRequest?.isOpen || !project) return null;
    const source = await this.sources.projectOf(project, mergeRequest);
    const tips = await this.sources.tips(project, source, mergeRequest);
    const version = await this.sources.newer(project, source, mergeRequest, tips);
    return { project, source, mergeRequest, tips, version };
  }

  /** False where something moved since the look. */
  private settle(seen: Seen, actorId: number | null): Promise<boolean> {
    return this.database.transaction(async () => {
      const { project, source, tips } = seen;
      const mergeRequest = await this.mergeRequests.findByIdForChange(seen.mergeRequest.id);
      if (!mergeRequest?.isOpen) return true;
      const now = await this.sources.tips(project, source, mergeRequest);
      if (!areSame(now, tips) || !isSameVersion(mergeRequest, seen.mergeRequest)) return false;
      const isChanged = await this.notePresence(mergeRequest, source, tips.source, actorId);
      if (seen.version) await this.take(project, mergeRequest, seen.version, actorId);
      if (isChanged || seen.version) await this.mergeRequests.save(mergeRequest);
      return true;
    });
  }

  private async take(
    project: Project,
    mergeRequest: MergeRequest,
    version: ReadVersion,
    actorId: number | null,
  ): Promise<void> {
    const oldHeadSha = mergeRequest.headSha;
    await this.versioning.take(project, mergeRequest, version, actorId);
    if (oldHeadSha === null || oldHeadSha === version.headSha) return;
    await this.notes.pushed(project, mergeRequest, { oldHeadSha, version, actorId });
  }

  private async notePresence(
    mergeRequest: MergeRequest,
    source: Project | null,
    tip: Sha | null,
    actorId: number | null,
  ): Promise<boolean> {
    const isDeleted = tip === null;
    if (!source || mergeRequest.sourceBranchDeleted === isDeleted) return false;
    mergeRequest.sourceBranchDeleted = isDeleted;
    await this.notes.branchPresence(mergeRequest, actorId);
    return true;
  }
}

const areSame = (one: Tips, other: Tips): boolean =>
  one.source === other.source && one.target === other.target;

const isSameVersion = (one: MergeRequest, other: MergeRequest): boolean =>
  one.headSha === other.headSha && one.baseSha === other.baseSha && one.targetBranch === other.targetBranch;
