import type { ActorUser } from '#libs/access';
import { Database, hydrate, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { NoteableRef } from '../../planning/planning.api';
import { readableSource } from '../notes/readable-sources';
import { Award } from './award.entity';
import { TARGET_COLUMN, TARGET_TABLE, type AwardTarget } from './award-target';

const PROPERTY = {
  Issue: 'issueId',
  MergeRequest: 'mergeRequestId',
  Snippet: 'snippetId',
  Epic: 'epicId',
  Note: 'noteId',
} as const;

/** A note as far as its emoji are concerned. */
export interface AwardableNote {
  readonly id: number;
  readonly system: boolean;
}

@Injectable()
export class AwardsRepository {
  constructor(private readonly database: Database) {}

  /** The oldest first. */
  page({ kind, id }: AwardTarget, request: PageRequest): Promise<Page<Award>> {
    const query = this.database.manager
      .createQueryBuilder(Award, 'award')
      .where(`award.${PROPERTY[kind]} = :id`, { id })
      .orderBy('award.id', 'ASC');
    return paginate(query, request);
  }

  find({ kind, id }: AwardTarget, awardId: number): Promise<Award | null> {
    return this.one(
      `award_on_${kind}`,
      `SELECT * FROM award_emoji WHERE id = $2 AND ${TARGET_COLUMN[kind]} = $1`,
      [id, awardId],
    );
  }

  /** Locked until the transaction ends. */
  findForChange({ kind, id }: AwardTarget, awardId: number): Promise<Award | null> {
    return this.one(
      `award_for_change_on_${kind}`,
      `SELECT * FROM award_emoji WHERE id = $2 AND ${TARGET_COLUMN[kind]} = $1 FOR UPDATE`,
      [id, awardId],
    );
  }

  /** Keeps the target from being removed until the transaction ends; false where it is gone. */
  async holdTarget({ kind, id }: AwardTarget): Promise<boolean> {
    const rows = await this.database.prepared(
      `hold_awardable_${kind}`,
      `SELECT 1 FROM ${TARGET_TABLE[kind]} WHERE id = $1 FOR KEY SHARE`,
      [id],
    );
    return rows.length > 0;
  }

  /** Null where the user has put it there already. */
  insert({ kind, id }: AwardTarget, name: string, userId: number): Promise<Award | null> {
    return this.one(
      `new_award_on_${kind}`,
      `INSERT INTO award_emoji (${TARGET_COLUMN[kind]}, name, user_id) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING *`,
      [id, name, userId],
    );
  }

  async remove(id: number): Promise<void> {
    await this.database.prepared('remove_award', 'DELETE FROM award_emoji WHERE id = $1', [id]);
  }

  /** A note on the noteable that the viewer sees: cross-references to what they do not are hidden. */
  async noteOn({ kind, id }: NoteableRef, noteId: number, viewer: ActorUser): Promise<AwardableNote | null> {
    const values: unknown[] = [id, noteId];
    const isSeen = readableSource(viewer, (value) => `$${values.push(value)}`, 'note');
    const [note]: AwardableNote[] = await this.database.manager.query(
      `SELECT note.id, note.system FROM notes note
       WHERE note.id = $2 AND note.${TARGET_COLUMN[kind]} = $1 AND ${isSeen}`,
      values,
    );
    return note ?? null;
  }

  private async one(name: string, text: string, values: readonly unknown[]): Promise<Award | null> {
    const [row] = await this.database.prepared(name, text, values);
    return row ? hydrate(Award, row) : null;
  }
}
