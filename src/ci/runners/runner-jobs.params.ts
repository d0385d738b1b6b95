import { params, wire } from '#libs/http';

const LONGEST_TOKEN = 255;
const LARGEST_TRACE = 10_000_000;

/** Runners tell much more about themselves, which nobody asks for. */
export const RunnerInfo = params({
  name: wire.text({ max: 255 }).optional(),
  version: wire.text({ max: 255 }).optional(),
  revision: wire.text({ max: 255 }).optional(),
  platform: wire.text({ max: 255 }).optional(),
  architecture: wire.text({ max: 255 }).optional(),
  executor: wire.text({ max: 255 }).optional(),
  features: wire.anything().optional().describe('What the runner is able to do: name → boolean'),
});

export const RequestJob = params({
  token: wire.text({ max: LONGEST_TOKEN }),
  last_update: wire.text().optional().describe('Of the last answer: with it the request waits for a job'),
  info: wire.hash(RunnerInfo).optional(),
  session: wire.anything().optional(),
});

export const ReportJob = params({
  job_id: wire.integer(),
  token: wire.text({ max: LONGEST_TOKEN }).optional(),
  state: wire.text().optional(),
  failure_reason: wire.text().optional(),
  trace: wire.text({ max: LARGEST_TRACE }).optional(),
});

export const AppendTrace = params({
  job_id: wire.integer(),
  token: wire.text({ max: LONGEST_TOKEN }).optional(),
});
