import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/identity.module';
import { CommitComment } from './commit-comments/commit-comment.entity';
import { CommitCommentsController } from './commit-comments/commit-comments.controller';
import { CommitCommentsRepository } from './commit-comments/commit-comments.repository';
import { CommitComments } from './commit-comments/commit-comments.service';
import { CommitMergeRequestsController } from './merge-requests/commit-merge-requests.controller';
import { CommitMergeRequests } from './merge-requests/commit-merge-requests.service';
import { MergeRequestLookup } from './merge-requests/merge-request-lookup';
import { NoMergeRequests } from './merge-requests/no-merge-requests';

/** What people say and propose about changes. */
@Module({
  imports: [TypeOrmModule.forFeature([CommitComment]), IdentityModule],
  controllers: [CommitCommentsController, CommitMergeRequestsController],
  providers: [
    CommitComments,
    CommitCommentsRepository,
    CommitMergeRequests,
    { provide: MergeRequestLookup, useClass: NoMergeRequests },
  ],
})
export class CollaborationModule {}
