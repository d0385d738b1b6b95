import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/identity.module';
import { ISSUE_LINKS } from './issue-links/issue-links.providers';
import { EPICS } from './epics/epics.providers';
import { NoteTally } from './noteables/note-tally.repository';
import { LABEL_EVENTS } from './label-events/label-events.providers';
import { LABELS } from './labels/labels.providers';
import { MILESTONES } from './milestones/milestones.providers';
import { ISSUES } from './issues/issues.providers';
import { ISSUABLES } from './issuables/issuables.providers';
import { SUBSCRIPTIONS } from './subscriptions/subscriptions.providers';

/** What is to be done: issues, labels, milestones, epics. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ...EPICS.entities,
      ...ISSUE_LINKS.entities,
      ...LABELS.entities,
      ...LABEL_EVENTS.entities,
      ...MILESTONES.entities,
      ...ISSUES.entities,
    ]),
    IdentityModule,
  ],
  controllers: [
    ...EPICS.controllers,
    ...ISSUE_LINKS.controllers,
    ...LABELS.controllers,
    ...LABEL_EVENTS.controllers,
    ...MILESTONES.controllers,
    ...ISSUES.controllers,
  ],
  providers: [
    ...EPICS.published,
    ...EPICS.providers,
    ...ISSUE_LINKS.providers,
    NoteTally,
    ...LABELS.published,
    ...LABELS.providers,
    ...LABEL_EVENTS.published,
    ...LABEL_EVENTS.providers,
    ...MILESTONES.published,
    ...MILESTONES.providers,
    ...ISSUES.published,
    ...ISSUES.providers,
    ...ISSUABLES.published,
    ...ISSUABLES.providers,
    ...SUBSCRIPTIONS.published,
    ...SUBSCRIPTIONS.providers,
  ],
  exports: [
    ...EPICS.published,
    NoteTally,
    ...LABELS.published,
    ...LABEL_EVENTS.published,
    ...MILESTONES.published,
    ...ISSUES.published,
    ...ISSUABLES.published,
    ...SUBSCRIPTIONS.published,
  ],
})
export class PlanningModule {}
