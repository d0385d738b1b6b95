import { params, wire } from '#libs/http';

const SCOPES = [
  'created',
  'preparing',
  'pending',
  'running',
  'failed',
  'success',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const;

const scope = wire.list(wire.oneOf(SCOPES), { max: SCOPES.length }).default([]);

export const ListJobs = params({ scope });
export const ListPipelineJobs = params({ pipeline_id: wire.integer(), scope });
export const JobPath = params({ job_id: wire.integer() });
