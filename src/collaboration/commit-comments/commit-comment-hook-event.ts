import { createHash } from 'node:crypto';
import type { ActorUser } from '#libs/access';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import {
  HookEvent,
  HookRecords,
  Repositories,
  type HookCall,
  type HookKindName,
  type Project,
} from '../../repository/repository.api';
import { commitCommented, type CommitCommented } from './commit-commented.event';
import type { CommitComment } from './commit-comment.entity';
import { CommitCommentsRepository } from './commit-comments.repository';

/** Remarks on commits, which hooks are told of as of other notes. */
@Injectable()
export class CommitCommentHookEvent extends HookEvent<CommitCommented> {
  readonly type = commitCommented;
  readonly kinds = ['note'] as const;

  constructor(
    private readonly comments: CommitCommentsRepository,
    private readonly repositories: Repositories,
    private readonly records: HookRecords,
    private readonly urls: Urls,
  ) {
    super();
  }

  async calls({ projectId, commentId }: CommitCommented, project: Project): Promise<readonly HookCall[]> {
    const comment = await this.comments.find(projectId, commentId);
    return comment ? [this.callFor(project, comment)] : [];
  }

  async sample(_kind: HookKindName, project: Project, user: ActorUser): Promise<HookCall | null> {
    const comment = await this.comments.newest(project.id);
    return comment && this.callFor(project, Object.assign(comment, { authorId: user.id }));
  }

  private callFor(project: Project, comment: CommitComment): HookCall {
    return { kind: 'note', branch: null, body: () => this.body(project, comment) };
  }

  private async body(project: Project, comment: CommitComment): Promise<object> {
    const { name, url, description, homepage } = this.records.repository(project);
    const commit = await this.repositories.open(project).commit(comment.sha);
    const page = `${this.urls.web(project.fullPath)}/commit/${comment.sha}#note_${comment.id}`;
    return {
      object_kind: 'note',
      event_type: 'note',
      user: await this.records.user(comment.authorId),
      project_id: project.id,
      project: this.records.project(project),
      object_attributes: attributesOf(comment, page),
      repository: { name, url, description, homepage },
      commit: commit && this.records.commit(project, commit),
    };
  }
}

const attributesOf = (comment: CommitComment, url: string) => ({
  attachment: null,
  author_id: comment.authorId,
  commit_id: comment.sha,
  created_at: comment.createdAt.toISOString(),
  id: comment.id,
  line_code: lineCodeOf(comment),
  note: comment.note,
  noteable_id: null,
  noteable_type: 'Commit',
  project_id: comment.projectId,
  st_diff: null,
  system: false,
  type: comment.path === null ? null : 'DiffNote',
  updated_at: comment.updatedAt.toISOString(),
  description: comment.note,
  url,
});

/** The reference's name for a line of a diff: the digest of the path, and the line on the side that it was counted on. */
function lineCodeOf({ path, line, lineType }: CommitComment): string | null {
  if (path === null || line === null) return null;
  const digest = createHash('sha1').update(path).digest('hex');
  return lineType === 'old' ? `${digest}_${line}_0` : `${digest}_0_${line}`;
}
