import { field, presenter } from '#libs/presenting';
import type { IssueCounts } from './issue-counts';

const CountsRecord = field.object({ all: field.int(), closed: field.int(), opened: field.int() });

export const presentIssueCounts = presenter(
  field.object({ statistics: field.object({ counts: CountsRecord }) }),
  (counts: IssueCounts) => ({ statistics: { counts: { ...counts } } }),
);
