import { IssueLink } from './issue-link.entity';
import { IssueLinksController } from './issue-links.controller';
import { IssueLinksRepository } from './issue-links.repository';
import { IssueLinks } from './issue-links.service';

/** Relations between issues, as the planning module takes them up. */
export const ISSUE_LINKS = {
  entities: [IssueLink],
  controllers: [IssueLinksController],
  providers: [IssueLinks, IssueLinksRepository],
} as const;
