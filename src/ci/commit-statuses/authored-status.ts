import type { UserSummary } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import type { CommitStatus } from './commit-status.entity';

/** A status with its author looked up; null where the account is gone. */
export interface AuthoredStatus {
  readonly status: CommitStatus;
  readonly project: Pick<Project, 'fullPath'>;
  readonly author: UserSummary | null;
}
