import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { milestoneNote } from '../issues/issue-notes';
import { MilestoneBearers } from '../noteables/milestone-bearers';
import type { NoteableRef } from '../noteables/noteable';
import { SystemNotes } from '../noteables/system-notes';
import { MilestoneMovesRepository } from './milestone-moves.repository';

const NOTES_AT_ONCE = 1000;

/** Takes milestones away without that anything is left with one that is not there, or waits for it for ever. */
@Injectable()
export class MilestoneMoves {
  constructor(
    private readonly database: Database,
    private readonly moves: MilestoneMovesRepository,
    private readonly bearers: MilestoneBearers,
    private readonly notes: SystemNotes,
  ) {}

  /**
   * A transaction in which `retire` or `discard` may be called. It is begun anew where somebody who is just putting one of the
   * milestones on something is in the way; throws `unavailable` when that does not end.
   */
  attempt<T>(work: () => Promise<T>): Promise<T> {
    return this.database.patientTransaction('The milestone is in use, please try again', work);
  }

  /**
   * Whatever has one of the milestones gets the other, or none; they themselves are gone. Answers what had one of them.
   */
  async retire(ids: readonly number[], successorId: number | null): Promise<NoteableRef[]> {
    // Most is done before anybody has to wait; the second time it is for those who came meanwhile.
    const most = await this.repoint(ids, successorId);
    await this.moves.close(ids);
    const late = await this.repoint(ids, successorId);
    await this.moves.remove(ids);
    return [...most, ...late];
  }

  /** As `retire` without another milestone: the discussion of whatever had the milestone is told. */
  async discard(id: number, byUserId: number): Promise<void> {
    const bearers = await this.retire([id], null);
    const note = { authorId: byUserId, action: 'milestone', body: milestoneNote(null) };
    for (let start = 0; start < bearers.length; start += NOTES_AT_ONCE) {
      const some = bearers.slice(start, start + NOTES_AT_ONCE);
      await this.notes.record(some.map((on) => ({ ...note, on })));
    }
  }

  private async repoint(ids: readonly number[], successorId: number | null): Promise<NoteableRef[]> {
    const issues = await this.moves.repointIssues(ids, successorId);
    const others = await this.bearers.repoint(ids, successorId);
    return [...issues.map((id) => ({ kind: 'Issue', id }) as const), ...others];
  }
}
