import { Injectable } from '@nestjs/common';
import type { Place } from '../labels/place';
import { PlaceLocks } from '../labels/place-locks.repository';
import type { Milestone } from './milestone.entity';
import { MilestonesRepository } from './milestones.repository';

/** Milestones as what they are put on sees them. */
@Injectable()
export class Milestones {
  constructor(
    private readonly milestones: MilestonesRepository,
    private readonly places: PlaceLocks,
  ) {}

  /** For records, in one query. */
  async byIds(ids: readonly (number | null)[]): Promise<ReadonlyMap<number, Milestone>> {
    const wanted = [...new Set(ids)].filter((id) => id !== null);
    const found = wanted.length === 0 ? [] : await this.milestones.byIds(wanted);
    return new Map(found.map((milestone) => [milestone.id, milestone]));
  }

  /**
   * The project's own or one of a group above it; null for any other. Call it in the transaction that puts the milestone
   * on something: nobody removes it until that ends.
   */
  async findUsable(place: Place, id: number): Promise<Milestone | null> {
    return this.milestones.keepUsable(await this.places.keep(place), id);
  }

  /** As `findUsable`, by title; of namesakes the nearest. */
  async findUsableByTitle(place: Place, title: string): Promise<Milestone | null> {
    return this.milestones.keepUsableByTitle(await this.places.keep(place), title);
  }
}
