import { Injectable } from '@nestjs/common';
import { IssueHookRecords, IssuesRepository } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { MergeRequestHookRecords } from '../merge-request-hooks/merge-request-hook-records';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import type { Snippet } from '../snippets/snippet.entity';
import { SnippetsRepository } from '../snippets/snippets.repository';
import { CommitHookThings } from './commit-hook-things.service';
import type { DiscussedRef } from './discussed-ref';
import type { HookThing } from './hook-thing';

/** Looks up what notes are on. */
@Injectable()
export class NoteHookThings {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly issueRecords: IssueHookRecords,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly mergeRequestRecords: MergeRequestHookRecords,
    private readonly snippets: SnippetsRepository,
    private readonly commits: CommitHookThings,
  ) {}

  /** Null where it is gone, and for what is in no project. */
  async find(project: Project, { kind, id }: DiscussedRef): Promise<HookThing | null> {
    if (kind === 'Issue') return this.issue(id);
    if (kind === 'MergeRequest') return this.mergeRequest(id);
    if (kind === 'Commit') return this.commits.find(project, id);
    return kind === 'Snippet' ? this.snippet(project, id) : null;
  }

  private async issue(id: number): Promise<HookThing | null> {
    const issue = await this.issues.findById(id);
    if (!issue) return null;
    const attributes = (): Promise<object> => this.issueRecords.attributes(issue);
    return { name: 'issue', page: `issues/${issue.iid}`, isConfidential: issue.confidential, attributes };
  }

  private async mergeRequest(id: number): Promise<HookThing | null> {
    const mergeRequest = await this.mergeRequests.findById(id);
    if (!mergeRequest) return null;
    const attributes = (): Promise<object> => this.mergeRequestRecords.attributes(mergeRequest);
    return {
      name: 'merge_request',
      page: `merge_requests/${mergeRequest.iid}`,
      isConfidential: false,
      attributes,
    };
  }

  private async snippet(project: Project, id: number): Promise<HookThing | null> {
    const snippet = await this.snippets.find(project.id, id);
    if (!snippet) return null;
    const attributes = (): Promise<object> => this.contentOf(snippet);
    return { name: 'snippet', page: `snippets/${snippet.id}`, isConfidential: false, attributes };
  }

  private async contentOf(snippet: Snippet): Promise<object> {
    return {
      id: snippet.id,
      title: snippet.title,
      content: await this.snippets.contentOf(snippet.id),
      author_id: snippet.authorId,
      project_id: snippet.projectId,
      created_at: snippet.createdAt.toISOString(),
      updated_at: snippet.updatedAt.toISOString(),
      file_name: snippet.fileName,
      type: 'ProjectSnippet',
      visibility_level: { private: 0, internal: 10, public: 20 }[snippet.visibility],
      description: snippet.description,
    };
  }
}
