import { GroupMilestonesController } from './group-milestones.controller';
import { MilestoneIssuesRepository } from './milestone-issues.repository';
import { MilestoneIssues } from './milestone-issues.service';
import { MilestoneMovesRepository } from './milestone-moves.repository';
import { MilestoneMoves } from './milestone-moves.service';
import { MilestonePromotion } from './milestone-promotion.service';
import { MilestoneTransferRepository } from './milestone-transfer.repository';
import { MilestoneTransfer } from './milestone-transfer.service';
import { Milestone } from './milestone.entity';
import { MilestonesRepository } from './milestones.repository';
import { Milestones } from './milestones.service';
import { PlanningOfMovedProjects } from './moved-projects.service';
import { OwnMilestones } from './own-milestones.service';
import { ProjectMilestonesController } from './project-milestones.controller';

/** Milestones of projects and groups, as the planning module takes them up. */
export const MILESTONES = {
  entities: [Milestone],
  controllers: [GroupMilestonesController, ProjectMilestonesController],
  published: [Milestones, OwnMilestones, PlanningOfMovedProjects],
  providers: [
    MilestoneIssues,
    MilestoneIssuesRepository,
    MilestoneMoves,
    MilestoneMovesRepository,
    MilestonePromotion,
    MilestoneTransfer,
    MilestoneTransferRepository,
    MilestonesRepository,
  ],
} as const;
