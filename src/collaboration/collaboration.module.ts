import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/identity.module';
import { CommitComment } from './commit-comments/commit-comment.entity';
import { CommitCommentsController } from './commit-comments/commit-comments.controller';
import { CommitCommentsRepository } from './commit-comments/commit-comments.repository';
import { CommitComments } from './commit-comments/commit-comments.service';
import { CommentContributions } from './contributions/comment-contributions.repository';
import { CommitMergeRequestsController } from './merge-requests/commit-merge-requests.controller';
import { CommitMergeRequests } from './merge-requests/commit-merge-requests.service';
import { MergeRequestLookup } from './merge-requests/merge-request-lookup';
import { NoMergeRequests } from './merge-requests/no-merge-requests';
import { UserCountsController } from './user-counts/user-counts.controller';
import { UserCounting } from './user-counts/user-counting.service';

/** What people say and propose about changes. */
@Module({
  imports: [TypeOrmModule.forFeature([CommitComment]), IdentityModule],
  controllers: [CommitCommentsController, CommitMergeRequestsController, UserCountsController],
  providers: [
    CommentContributions,
    CommitComments,
    CommitCommentsRepository,
    CommitMergeRequests,
    UserCounting,
    { provide: MergeRequestLookup, useClass: NoMergeRequests },
  ],
  exports: [CommentContributions],
})
export class CollaborationModule {}
