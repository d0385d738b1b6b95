import { EpicChanges } from './epic-changes.service';
import { EpicContributions } from './epic-contributions.repository';
import { EpicDescriptions } from './epic-descriptions.service';
import { EpicIssueRecords } from './epic-issue-records.service';
import { EpicIssue } from './epic-issue.entity';
import { EpicIssuesRepository } from './epic-issues.repository';
import { EpicIssuesController } from './epic-issues.controller';
import { EpicIssues } from './epic-issues.service';
import { EpicLinks } from './epic-links.service';
import { EpicLists } from './epic-lists.service';
import { EpicTelling } from './epic-telling.service';
import { EpicTransfer } from './epic-transfer.repository';
import { Epic } from './epic.entity';
import { EpicsController } from './epics.controller';
import { EpicsRepository } from './epics.repository';
import { Epics } from './epics.service';
import { IssueEpics } from './issue-epics.service';

/** Epics, as the planning module takes them up. */
export const EPICS = {
  entities: [Epic, EpicIssue],
  controllers: [EpicIssuesController, EpicsController],
  providers: [
    EpicChanges,
    EpicDescriptions,
    EpicIssues,
    EpicIssueRecords,
    EpicIssuesRepository,
    EpicLinks,
    EpicLists,
    EpicTelling,
    EpicTransfer,
    EpicsRepository,
    IssueEpics,
  ],
  published: [EpicContributions, Epics],
} as const;
