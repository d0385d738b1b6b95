import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CiModule } from '../ci/ci.module';
import { IdentityModule } from '../identity/identity.module';
import { PlanningModule } from '../planning/planning.module';
import { APPROVALS } from './approvals/approvals.providers';
import { AWARD_EMOJI } from './award-emoji/award-emoji.providers';
import { CLOSING_ISSUES } from './closing-issues/closing-issues.providers';
import { COMMIT_COMMENTS } from './commit-comments/commit-comments.providers';
import { MERGE_REQUEST_FORKS } from './merge-request-forks/merge-request-forks.providers';
import { MERGE_REQUEST_HOOKS } from './merge-request-hooks/merge-request-hooks.providers';
import { MERGE_REQUEST_PIPELINES } from './merge-request-pipelines/merge-request-pipelines.providers';
import { MERGE_REQUEST_VERSIONS } from './merge-request-versions/merge-request-versions.providers';
import { MERGE_REQUESTS } from './merge-requests/merge-requests.providers';
import { MERGING } from './merging/merging.providers';
import { NOTES } from './notes/notes.providers';
import type { Resource } from './resource';
import { SNIPPETS } from './snippets/snippets.providers';
import { USER_COUNTS } from './user-counts/user-counts.providers';

const RESOURCES: readonly Resource[] = [
  APPROVALS,
  AWARD_EMOJI,
  CLOSING_ISSUES,
  COMMIT_COMMENTS,
  MERGE_REQUEST_FORKS,
  MERGE_REQUEST_HOOKS,
  MERGE_REQUEST_PIPELINES,
  MERGE_REQUEST_VERSIONS,
  MERGE_REQUESTS,
  MERGING,
  NOTES,
  SNIPPETS,
  USER_COUNTS,
];
const PUBLISHED = RESOURCES.flatMap(({ published = [] }) => published);

/** What people say and propose about changes. */
@Module({
  imports: [
    TypeOrmModule.forFeature(RESOURCES.flatMap(({ entities = [] }) => entities)),
    CiModule,
    IdentityModule,
    PlanningModule,
  ],
  controllers: RESOURCES.flatMap(({ controllers = [] }) => controllers),
  providers: [...RESOURCES.flatMap(({ providers = [] }) => providers), ...PUBLISHED],
  exports: PUBLISHED,
})
export class CollaborationModule {}
