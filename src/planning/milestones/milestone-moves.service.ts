import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '#libs/database';
import { DomainError } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { MilestoneBearers } from '../noteables/milestone-bearers';
import { gaveUpWaiting } from '../labels/place-locks.repository';
import { MilestoneMovesRepository } from './milestone-moves.repository';

const ATTEMPTS = 5;
const PAUSE_MS = 50;

/** Takes milestones away without that anything is left with one that is not there, or waits for it for ever. */
@Injectable()
export class MilestoneMoves {
  constructor(
    private readonly database: Database,
    private readonly moves: MilestoneMovesRepository,
    private readonly bearers: MilestoneBearers,
  ) {}

  /**
   * A transaction in which `retire` may be called. It is begun anew where somebody who is just putting one of the
   * milestones on something is in the way; throws `unavailable` when that does not end.
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        return await this.database.transaction(work);
      } catch (error) {
        if (!gaveUpWaiting(error)) throw error;
        await sleep(PAUSE_MS * attempt);
      }
    }
    throw new DomainError({ kind: 'unavailable', message: 'The milestone is in use, please try again' });
  }

  /** Whatever has one of the milestones gets the other, or none; they themselves are gone. */
  async retire(ids: readonly number[], successorId: number | null): Promise<void> {
    // Most is done before anybody has to wait; the second time it is for those who came meanwhile.
    await this.repoint(ids, successorId);
    await this.moves.close(ids);
    await this.repoint(ids, successorId);
    await this.moves.remove(ids);
  }

  private async repoint(ids: readonly number[], successorId: number | null): Promise<void> {
    await this.moves.repointIssues(ids, successorId);
    await this.bearers.repoint(ids, successorId);
  }
}
