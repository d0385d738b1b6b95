import type { NoteableRef } from './noteable';

/** What carries milestones besides issues. Bound in the context that owns merge requests. */
export abstract class MilestoneBearers {
  /**
   * Gives whatever has one of the milestones the other, or none. Call it in the transaction of a promotion or a
   * deletion: it may be called several times there. Answers what it has changed.
   */
  abstract repoint(fromIds: readonly number[], toId: number | null): Promise<NoteableRef[]>;

  /** The ids of the milestones that something in the project has. */
  abstract usedIn(projectId: number): Promise<number[]>;

  /** Gives what has the milestone in this one project the other. Call it in the transaction of the project's move. */
  abstract repointIn(projectId: number, fromId: number, toId: number): Promise<void>;
}
