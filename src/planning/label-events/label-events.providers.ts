import { LabelEventContributions } from './label-event-contributions.repository';
import { LabelEvent } from './label-event.entity';
import { LabelEventsController } from './label-events.controller';
import { LabelEventsRepository } from './label-events.repository';
import { LabelEvents } from './label-events.service';

/** Who put which label on what, and took it off, as the planning module takes it up. */
export const LABEL_EVENTS = {
  entities: [LabelEvent],
  controllers: [LabelEventsController],
  published: [LabelEventContributions, LabelEvents],
  providers: [LabelEventsRepository],
} as const;
