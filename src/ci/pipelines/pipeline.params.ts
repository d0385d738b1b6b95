import { params, wire } from '#libs/http';
import { PIPELINE_ORDERS, PIPELINE_SCOPES } from './pipeline-search';
import { VARIABLE_TYPES } from './pipeline-variable';
import { CI_STATUSES } from './status';

const LONGEST_REF = 255;
const MOST_VARIABLES = 1_000;
const LONGEST_VALUE = 65_536;

const InProject = params({ id: wire.idOrPath().describe('Id or path of the project') });

export const ListPipelines = InProject.extend({
  scope: wire.oneOf(PIPELINE_SCOPES).optional().describe('`branches` and `tags`: the newest of each'),
  status: wire.oneOf(CI_STATUSES).optional(),
  ref: wire.text().optional(),
  sha: wire.text().optional(),
  yaml_errors: wire.boolean().optional().describe('Those with, or without, a broken configuration'),
  name: wire.text().optional().describe('Name of the user who started it'),
  username: wire.text().optional().describe('User name of the user who started it'),
  order_by: wire.oneOf(PIPELINE_ORDERS).default('id'),
  sort: wire.oneOf(['asc', 'desc']).default('desc'),
});

export const PipelinePath = InProject.extend({ pipeline_id: wire.integer() });

export const LatestPipeline = InProject.extend({
  ref: wire.text().optional().describe('The default branch by default'),
});

const Variable = params({
  key: wire.text(),
  value: wire.text({ max: LONGEST_VALUE }).default(''),
  variable_type: wire.oneOf(VARIABLE_TYPES).default('env_var'),
});

export const CreatePipeline = InProject.extend({
  ref: wire.text({ blank: false, max: LONGEST_REF }).describe('Branch or tag'),
  variables: wire.list(Variable, { max: MOST_VARIABLES }).optional(),
});
