import type { JobDefinition, JobWhen } from './job-definition';

/** A job as a configuration asks for it, about to be made. */
export interface NewJob {
  readonly name: string;
  readonly stage: string;
  readonly stageIndex: number;
  readonly when: JobWhen;
  readonly allowFailure: boolean;
  readonly needs: readonly string[] | null;
  readonly tags: readonly string[];
  readonly timeoutSeconds: number;
  readonly coverageRegex: string | null;
  readonly definition: JobDefinition;
}

/** The jobs of a pipeline, about to be made. They may be megabytes, which only the database looks at. */
export interface NewJobs {
  readonly count: number;
  /** A list of NewJob as JSON. */
  readonly json: string;
}
