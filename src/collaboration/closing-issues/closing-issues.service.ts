import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { parseClosed, pathOf } from '../../planning/planning.api';
import { ActingUsers, type Project } from '../../repository/repository.api';
import { ClosingIssuesRepository, type NamedIssue } from './closing-issues.repository';
import type { MergeRequest } from '../merge-requests/merge-request.entity';

/** Messages of so many commits, the newest, are read for what they close. */
const MOST_MESSAGES = 1_000;
const MOST_ISSUES = 1_000;

/** Keeps in mind which issues a merge request closes, as its texts and its commits' messages say. */
@Injectable()
export class ClosingIssues {
  constructor(
    private readonly users: ActingUsers,
    private readonly closing: ClosingIssuesRepository,
    private readonly urls: Urls,
  ) {}

  /**
   * Looks again, with the author's eyes. Only what is merged into the default branch closes anything. Call it in the
   * transaction that changes texts or commits.
   */
  async note(project: Project, mergeRequest: MergeRequest, messages: readonly string[]): Promise<void> {
    const isDefault = mergeRequest.targetBranch === project.defaultBranch;
    const named = isDefault ? this.named(project, mergeRequest, messages) : [];
    const author =
      mergeRequest.authorId === null ? null : await this.users.find(mergeRequest.authorId, project);
    await this.closing.set(mergeRequest.id, await this.closing.resolve(named, author?.user ?? null));
  }

  private named(project: Project, mergeRequest: MergeRequest, messages: readonly string[]): NamedIssue[] {
    const found = new Map<string, NamedIssue>();
    const texts = [mergeRequest.title, mergeRequest.description ?? '', ...messages.slice(0, MOST_MESSAGES)];
    for (const reference of texts.flatMap((text) => parseClosed(text, { base: this.urls.base }))) {
      const named = { path: pathOf(reference, project.fullPath), iid: reference.iid };
      if (found.size < MOST_ISSUES) found.set(`${named.path.toLowerCase()}#${named.iid}`, named);
    }
    return [...found.values()];
  }
}
