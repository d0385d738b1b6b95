import { field, presenter, presentTime } from '#libs/presenting';
import type { BurndownEvent } from './burndown-event';

const BurndownEventRecord = field.object({
  created_at: field.string(),
  weight: field.int().nullable(),
  action: field.enum(['created', 'closed', 'reopened']),
});

export const presentBurndownEvent = presenter(
  BurndownEventRecord,
  ({ createdAt, weight, action }: BurndownEvent) => ({ created_at: presentTime(createdAt), weight, action }),
);
