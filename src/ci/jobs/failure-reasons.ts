/** Why a job has failed, in the reference's words. */
export const FAILURE_REASONS = [
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
  'trace_size_exceeded',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** What a runner says; newer ones know more words than we do. */
export const failureReasonOf = (text: string | undefined): FailureReason =>
  FAILURE_REASONS.find((reason) => reason === text) ?? 'unknown_failure';
