import type { UserSummary } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import type { Pipeline } from './pipeline.entity';

/** A pipeline as lists show it. */
export interface ListedPipeline {
  readonly pipeline: Pick<Pipeline, 'id' | 'status' | 'ref' | 'sha'>;
  readonly project: Pick<Project, 'fullPath'>;
}

/** A pipeline with whoever started it; null where the account is gone. */
export interface DetailedPipeline extends ListedPipeline {
  readonly pipeline: Pipeline;
  readonly user: UserSummary | null;
}
