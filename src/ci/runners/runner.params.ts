import { atLeastOneOf, params, wire } from '#libs/http';
import { ACCESS_LEVELS } from './runner.entity';
import { RunnerInfo } from './runner-jobs.params';

const LONGEST_DESCRIPTION = 1_024;
const LARGEST_INTEGER = 2_147_483_647;
const MOST_TAGS = 50;

export const RUNNER_STATUSES = ['active', 'paused', 'online', 'offline'] as const;
const SCOPES = [...RUNNER_STATUSES, 'specific', 'shared'] as const;
const TYPES = ['instance_type', 'group_type', 'project_type'] as const;
const JOB_STATUSES = ['running', 'success', 'failed', 'canceled'] as const;

const attributes = {
  description: wire.text({ max: LONGEST_DESCRIPTION }).optional(),
  active: wire.boolean().optional(),
  paused: wire.boolean().optional().describe('What later releases call the opposite of active, which wins'),
  locked: wire.boolean().optional(),
  run_untagged: wire.boolean().optional(),
  tag_list: wire.commaSeparated({ max: MOST_TAGS }).optional(),
  access_level: wire.oneOf(['', ...ACCESS_LEVELS]).optional(),
  maximum_timeout: wire.integer({ min: 0, max: LARGEST_INTEGER }).nullable().optional(),
};

export const RegisterRunner = params({
  token: wire.text({ max: 255 }),
  ...attributes,
  info: wire.hash(RunnerInfo).optional(),
});

export const RunnerToken = params({ token: wire.text({ max: 255 }), info: wire.hash(RunnerInfo).optional() });

export const ListRunners = params({
  scope: wire.oneOf(SCOPES).optional().describe('Older name of status and type'),
  type: wire.oneOf(TYPES).optional(),
  status: wire.oneOf(RUNNER_STATUSES).optional(),
  tag_list: wire.commaSeparated({ max: MOST_TAGS }).optional(),
});

export const RunnerPath = params({ id: wire.integer() });

export const UpdateRunner = RunnerPath.extend(attributes, atLeastOneOf(...Object.keys(attributes)));

export const ListJobsOfRunner = RunnerPath.extend({
  status: wire.oneOf(JOB_STATUSES).optional(),
  order_by: wire.oneOf(['id']).default('id'),
  sort: wire.oneOf(['asc', 'desc']).default('desc'),
});

export const EnableRunner = params({ runner_id: wire.integer() });
export const DisableRunner = params({ runner_id: wire.integer() });
