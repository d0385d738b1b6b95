import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CiModule } from '../ci/ci.module';
import { IdentityModule } from '../identity/identity.module';
import { AWARD_EMOJI } from './award-emoji/award-emoji.providers';
import { SNIPPETS } from './snippets/snippets.providers';
import { CommitCommentHookEvent } from './commit-comments/commit-comment-hook-event';
import { CommitComment } from './commit-comments/commit-comment.entity';
import { CommitCommentsController } from './commit-comments/commit-comments.controller';
import { CommitCommentsRepository } from './commit-comments/commit-comments.repository';
import { CommitComments } from './commit-comments/commit-comments.service';
import { CommentContributions } from './contributions/comment-contributions.repository';
import { PlanningModule } from '../planning/planning.module';
import { MERGE_REQUESTS } from './merge-requests/merge-requests.providers';
import { MERGING } from './merging/merging.providers';
import { NOTES } from './notes/notes.providers';
import { UserCountsController } from './user-counts/user-counts.controller';
import { UserCounting } from './user-counts/user-counting.service';

/** What people say and propose about changes. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ...AWARD_EMOJI.entities,
      ...SNIPPETS.entities,
      CommitComment,
      ...MERGE_REQUESTS.entities,
      ...NOTES.entities,
    ]),
    CiModule,
    IdentityModule,
    PlanningModule,
  ],
  controllers: [
    ...AWARD_EMOJI.controllers,
    ...SNIPPETS.controllers,
    CommitCommentsController,
    UserCountsController,
    ...MERGE_REQUESTS.controllers,
    ...MERGING.controllers,
    ...NOTES.controllers,
  ],
  providers: [
    ...AWARD_EMOJI.published,
    ...AWARD_EMOJI.providers,
    ...SNIPPETS.published,
    ...SNIPPETS.providers,
    CommentContributions,
    CommitCommentHookEvent,
    CommitComments,
    CommitCommentsRepository,
    UserCounting,
    ...MERGE_REQUESTS.providers,
    ...MERGING.providers,
    ...MERGE_REQUESTS.published,
    ...NOTES.providers,
    ...NOTES.published,
  ],
  exports: [
    ...AWARD_EMOJI.published,
    ...SNIPPETS.published,
    CommentContributions,
    ...MERGE_REQUESTS.published,
    ...NOTES.published,
  ],
})
export class CollaborationModule {}
