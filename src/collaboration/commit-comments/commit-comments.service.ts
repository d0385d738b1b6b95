import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { Events } from '#libs/events';
import type { Sha } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import { CommitMentions } from '../notes/commit-mentions.service';
import { commitCommented } from './commit-commented.event';
import type { CommitComment } from './commit-comment.entity';
import type { CreateCommitComment, ListCommitComments } from './commit-comment.params';
import type { AuthoredComment } from './authored-comment';
import { CommitCommentsRepository } from './commit-comments.repository';
import { diffShowsLine } from './diff-lines';

type Place = Pick<CommitComment, 'path' | 'line' | 'lineType'>;

const WHOLE_COMMIT: Place = { path: null, line: null, lineType: null };

@Injectable()
export class CommitComments {
  constructor(
    private readonly repositories: Repositories,
    private readonly comments: CommitCommentsRepository,
    private readonly users: UserDirectory,
    private readonly database: Database,
    private readonly events: Events,
    private readonly mentions: CommitMentions,
  ) {}

  async list(
    project: Project,
    { sha }: ParamsOf<typeof ListCommitComments>,
    page: PageRequest,
  ): Promise<Page<AuthoredComment>> {
    const commit = await requireCommit(this.repositories.open(project), sha);
    const found = await this.comments.ofCommit(project.id, commit.sha, page);
    const authors = await this.users.byIds(found.rows.map(({ authorId }) => authorId));
    return mapPage(found, (comment) => ({ comment, author: authors.get(comment.authorId ?? 0) ?? null }));
  }

  async create(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof CreateCommitComment>,
  ): Promise<AuthoredComment> {
    const user = signedIn(actor);
    const commit = await requireCommit(this.repositories.open(project), params.sha);
    const place = await this.placeOf(project, commit.sha, params);
    const comment = await this.database.transaction(async () => {
      const values = {
        projectId: project.id,
        sha: commit.sha,
        authorId: user.id,
        note: params.note,
        ...place,
      };
      const made = await this.comments.create(values);
      await this.mentions.note(project, { sha: commit.sha, text: params.note, authorId: user.id });
      await this.events.emit(commitCommented, { projectId: project.id, commentId: made.id });
      return made;
    });
    const authors = await this.users.byIds([user.id]);
    return { comment, author: authors.get(user.id) ?? null };
  }

  /** A place that the commit's diff does not show makes it a comment on the whole commit (specification, Commits). */
  private async placeOf(
    project: Project,
    sha: Sha,
    params: ParamsOf<typeof CreateCommitComment>,
  ): Promise<Place> {
    const { path, line, line_type: lineType = 'new' } = params;
    if (path === undefined || line === undefined || line < 1) return WHOLE_COMMIT;
    const diffs = await this.repositories.open(project).diff(sha);
    const diff = diffs.find(({ newPath, oldPath }) => (lineType === 'new' ? newPath : oldPath) === path);
    return diff && diffShowsLine(diff.text, line, lineType) ? { path, line, lineType } : WHOLE_COMMIT;
  }
}
