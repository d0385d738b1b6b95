import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Awards, NOTEABLE_COLUMN, type NoteableKind, type Votes } from '../../planning/planning.api';

interface VoteRow extends Votes {
  id: number;
}

/** Counts thumbs. */
@Injectable()
export class AwardVotes extends Awards {
  constructor(private readonly database: Database) {
    super();
  }

  async votesOf(kind: NoteableKind, ids: readonly number[]): Promise<ReadonlyMap<number, Votes>> {
    if (ids.length === 0) return new Map();
    const column = NOTEABLE_COLUMN[kind];
    const rows = await this.database.prepared<VoteRow>(
      `votes_of_${kind}`,
      `SELECT ${column} AS id,
         count(*) FILTER (WHERE name = 'thumbsup')::int AS upvotes,
         count(*) FILTER (WHERE name = 'thumbsdown')::int AS downvotes
       FROM award_emoji
       WHERE ${column} = ANY($1::bigint[]) AND name IN ('thumbsup', 'thumbsdown') GROUP BY ${column}`,
      [ids],
    );
    return new Map(rows.map(({ id, upvotes, downvotes }) => [id, { upvotes, downvotes }]));
  }
}
