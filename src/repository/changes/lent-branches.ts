import type { ActorUser } from '#libs/access';
import type { Project } from '../projects/project.entity';

/** A branch of a fork that is lent to whoever may merge into the branch where its change is to go. */
export interface LentBranch {
  readonly branch: string;
  readonly targetProjectId: number;
  readonly targetBranch: string;
}

/** Branches that their projects let others push to. Bound in `app.module.ts`. */
export abstract class LentBranches {
  /**
   * Those of the project that may be lent to the user: the targets are ones they push to, but whether they may merge
   * into the named branch is still to be asked. A bounded number.
   */
  abstract of(project: Pick<Project, 'id'>, user: Pick<ActorUser, 'id'>): Promise<readonly LentBranch[]>;
}
