import { defineEvent } from '#libs/events';
import type { CiStatus } from './status';

/** A pipeline was made, or has another status. */
export interface PipelineChanged {
  readonly projectId: number;
  readonly pipelineId: number;
  readonly status: CiStatus;
}

export const pipelineChanged = defineEvent<PipelineChanged>()('ci.pipeline_changed');
