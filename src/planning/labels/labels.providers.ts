import { GroupLabelsController } from './group-labels.controller';
import { Label } from './label.entity';
import { LabelDescriptions } from './label-descriptions.service';
import { LabelFiguresRepository } from './label-figures.repository';
import { LabelFollowers } from './label-followers.service';
import { LabelLinksRepository } from './label-links.repository';
import { LabelMergesRepository } from './label-merges.repository';
import { LabelPromotion } from './label-promotion.service';
import { LabelSubscriptionsRepository } from './label-subscriptions.repository';
import { LabelTransferRepository } from './label-transfer.repository';
import { LabelTransfer } from './label-transfer.service';
import { Labelling } from './labelling.service';
import { LabelsRepository } from './labels.repository';
import { Labels } from './labels.service';
import { PlaceLocks } from './place-locks.repository';
import { ProjectLabelsController } from './project-labels.controller';

/** Labels of projects and groups, as the planning module takes them up. */
export const LABELS = {
  entities: [Label],
  controllers: [GroupLabelsController, ProjectLabelsController],
  published: [Labelling],
  providers: [
    LabelDescriptions,
    LabelFiguresRepository,
    LabelFollowers,
    LabelLinksRepository,
    LabelMergesRepository,
    LabelPromotion,
    LabelSubscriptionsRepository,
    LabelTransfer,
    LabelTransferRepository,
    Labels,
    LabelsRepository,
    PlaceLocks,
  ],
} as const;
