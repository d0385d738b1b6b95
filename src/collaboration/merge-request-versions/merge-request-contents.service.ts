import type { Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import type { Commit } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { DescribedIssue } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { ClosedIssues } from '../closing-issues/closed-issues.service';
import { MergeRequestDetailsService } from '../merge-requests/merge-request-details.service';
import type { MergeRequestVersion } from './merge-request-version.entity';
import { MergeRequestVersionsRepository } from './merge-request-versions.repository';
import type { VersionPath } from '../merge-requests/merge-request.params';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import { VersionContents } from './version-contents.service';
import type { MergeRequestWithChanges, VersionDetails } from './version-details';

/** What merge requests bring. All of it throws "404 Not found" where the caller sees no such merge request. */
@Injectable()
export class MergeRequestContents {
  constructor(
    private readonly found: MergeRequests,
    private readonly versionsOf: MergeRequestVersionsRepository,
    private readonly contents: VersionContents,
    private readonly records: MergeRequestDetailsService,
    private readonly issues: ClosedIssues,
  ) {}

  /** Newest first. */
  async commits(actor: Actor, project: Project, iid: number, page: PageRequest): Promise<Page<Commit>> {
    const { diffRefs } = await this.found.require(actor, project, iid);
    return this.contents.commits(project, diffRefs, page);
  }

  async changes(actor: Actor, project: Project, iid: number): Promise<MergeRequestWithChanges> {
    const mergeRequest = await this.found.require(actor, project, iid);
    return {
      details: await this.records.details(actor, project, mergeRequest),
      diffs: await this.contents.diffs(project, mergeRequest.diffRefs),
    };
  }

  /** Newest first. */
  async versions(
    actor: Actor,
    project: Project,
    iid: number,
    page: PageRequest,
  ): Promise<Page<MergeRequestVersion>> {
    const { id } = await this.found.require(actor, project, iid);
    return this.versionsOf.page(id, page);
  }

  /** Throws "404 Not found" also for a version of another merge request. */
  async version(
    actor: Actor,
    project: Project,
    { merge_request_iid: iid, version_id: versionId }: ParamsOf<typeof VersionPath>,
  ): Promise<VersionDetails> {
    const { id } = await this.found.require(actor, project, iid);
    const version = await this.versionsOf.find(id, versionId);
    if (!version) throw notFound();
    return {
      version,
      commits: await this.contents.allCommits(project, version),
      diffs: await this.contents.diffs(project, version),
    };
  }

  async closesIssues(
    actor: Actor,
    project: Project,
    iid: number,
    page: PageRequest,
  ): Promise<Page<DescribedIssue>> {
    const { id } = await this.found.require(actor, project, iid);
    return this.issues.of(actor, id, page);
  }
}
