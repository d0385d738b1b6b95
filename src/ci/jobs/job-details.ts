import type { Commit } from '#libs/git';
import type { User } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import type { JobArtifact } from '../artifacts/job-artifact.entity';
import type { Pipeline } from '../pipelines/pipeline.entity';
import type { Runner } from '../runners/runner.entity';
import type { Job } from './job.entity';

/** A job with what its record shows of others. */
export interface JobDetails {
  readonly job: Job;
  readonly project: Project;
  readonly pipeline: Pipeline;
  /** Null where the account is gone. */
  readonly user: User | null;
  /** Null where git no longer has it. */
  readonly commit: Commit | null;
  readonly runner: Runner | null;
  readonly artifacts: readonly JobArtifact[];
}
