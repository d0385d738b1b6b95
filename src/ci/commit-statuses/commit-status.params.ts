import { params, wire } from '#libs/http';
import { REPORTED_STATES } from './commit-status.entity';

const LONGEST_NAME = 255;
const LONGEST_DESCRIPTION = 10_000;

export const ListStatuses = params({
  sha: wire.text(),
  ref: wire.text().optional().describe('The default branch by default'),
  stage: wire.text().optional(),
  name: wire.text().optional(),
  all: wire.boolean().default(false).describe('All statuses, not only the latest'),
});

export const ReportStatus = params({
  sha: wire.text(),
  state: wire.oneOf(REPORTED_STATES),
  ref: wire.text({ max: LONGEST_NAME }).optional(),
  name: wire.text({ max: LONGEST_NAME }).optional(),
  context: wire.text({ max: LONGEST_NAME }).optional(),
  target_url: wire.text().optional(),
  description: wire.text({ max: LONGEST_DESCRIPTION }).optional(),
  coverage: wire.float().optional(),
  pipeline_id: wire.integer().optional(),
});
