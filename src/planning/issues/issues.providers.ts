import { AssignableUsersRepository } from './assignable-users.repository';
import { ClosingPushes } from './closing-pushes.subscriber';
import { ClosingSourcesRepository } from './closing-sources.repository';
import { IssueClosing } from './issue-closing.service';
import { IssueContributions } from './issue-contributions.repository';
import { IssueHookEvent } from './issue-hook-event';
import { IssueHookRecords } from './issue-hook-records';
import { IssueAssignment } from './issue-assignment.service';
import { IssueChanges } from './issue-changes.service';
import { IssueCopies } from './issue-copies.service';
import { IssueCreation } from './issue-creation.service';
import { IssueDescriptions } from './issue-descriptions.service';
import { IssueEffects } from './issue-effects.service';
import { IssueFigures } from './issue-figures.service';
import { IssueFollowing } from './issue-following.service';
import { IssueListsController } from './issue-lists.controller';
import { IssueLists } from './issue-lists.service';
import { IssueLookup } from './issue-lookup.service';
import { IssueOriginsRepository } from './issue-origins.repository';
import { IssueMoves } from './issue-moves.service';
import { IssueMoving } from './issue-moving.service';
import { IssueRelations } from './issue-relations.service';
import { IssueRemoval } from './issue-removal.service';
import { IssueSearchRepository } from './issue-search.repository';
import { IssueStates } from './issue-states.service';
import { IssueTimesController } from './issue-times.controller';
import { IssueTimes } from './issue-times.service';
import { Issue } from './issue.entity';
import { IssuesController } from './issues.controller';
import { IssuesRepository } from './issues.repository';
import { Issues } from './issues.service';
import { MovingWords } from './moved-words.service';

/** Issues, as the planning module takes them up. */
export const ISSUES = {
  entities: [Issue],
  controllers: [IssueListsController, IssueTimesController, IssuesController],
  /** For the other resources and the contexts above. */
  published: [
    IssueClosing,
    IssueContributions,
    IssueDescriptions,
    IssueHookRecords,
    IssueLists,
    IssueLookup,
    IssueStates,
    IssuesRepository,
  ],
  providers: [
    AssignableUsersRepository,
    ClosingPushes,
    ClosingSourcesRepository,
    IssueHookEvent,
    IssueAssignment,
    IssueChanges,
    IssueCopies,
    IssueCreation,
    IssueEffects,
    IssueFigures,
    IssueFollowing,
    IssueMoves,
    IssueMoving,
    IssueOriginsRepository,
    IssueRelations,
    IssueRemoval,
    IssueSearchRepository,
    IssueTimes,
    Issues,
    MovingWords,
  ],
} as const;
