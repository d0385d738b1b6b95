import { AwardContributions } from './award-contributions.repository';
import { AwardEmoji } from './award-emoji.service';
import { AwardVotes } from './award-votes.repository';
import { Award } from './award.entity';
import { Awardables } from './awardables.service';
import { AwardsRepository } from './awards.repository';
import { EpicAwardsController } from './epic-awards.controller';
import { IssueAwardsController } from './issue-awards.controller';
import { MergeRequestAwardsController } from './merge-request-awards.controller';
import { SnippetAwardsController } from './snippet-awards.controller';

/** Emoji on things and notes, as the collaboration module takes them up. */
export const AWARD_EMOJI = {
  entities: [Award],
  controllers: [
    EpicAwardsController,
    IssueAwardsController,
    MergeRequestAwardsController,
    SnippetAwardsController,
  ],
  providers: [AwardEmoji, Awardables, AwardsRepository],
  published: [AwardContributions, AwardVotes],
} as const;
