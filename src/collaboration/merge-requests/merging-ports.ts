import type { Actor } from '#libs/access';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest, MergeStatus } from './merge-request.entity';

/** Whether two branches go together. Bound where merging is done. */
export abstract class MergeStatuses {
  /** Of the two tips as they are now; worked out where it is not known yet. */
  abstract current(project: Project, mergeRequest: MergeRequest): Promise<MergeStatus>;
}

/** Who may merge. Bound where merging is done. */
export abstract class MergeRights {
  /** Whether the caller may bring changes into the branch of the target project. */
  abstract mayMerge(actor: Actor, project: Project, branch: string): Promise<boolean>;
}
