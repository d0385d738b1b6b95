import { Database, hydrate, paginateStatement } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { BadgeSource, BadgeUrls } from './badge';
import { Badge } from './badge.entity';

/** The namespace `$2` and all above it give their badges to the project `$1`. */
const IN_PROJECT = `
  SELECT own.* FROM badges own WHERE own.project_id = $1
  UNION ALL
  SELECT inherited.* FROM badges inherited
  WHERE inherited.group_id = ANY((SELECT n.traversal_ids FROM namespaces n WHERE n.id = $2)::bigint[])`;

const IN_GROUP = 'SELECT own.* FROM badges own WHERE own.group_id = $1';

const SOURCES = {
  project: {
    badges: IN_PROJECT,
    insert: `INSERT INTO badges (project_id, link_url, image_url)
      SELECT p.id, $2, $3 FROM projects p WHERE p.id = $1 AND NOT p.pending_delete FOR SHARE RETURNING *`,
  },
  group: {
    badges: IN_GROUP,
    insert: `INSERT INTO badges (group_id, link_url, image_url)
      SELECT n.id, $2, $3 FROM namespaces n WHERE n.id = $1 AND NOT n.pending_delete FOR SHARE RETURNING *`,
  },
} as const;

const idsOf = (source: BadgeSource): number[] =>
  source.kind === 'project' ? [source.project.id, source.project.namespaceId] : [source.group.id];

const toBadge = (row: object): Badge => hydrate(Badge, row);

@Injectable()
export class BadgesRepository {
  constructor(private readonly database: Database) {}

  /** What shows in the source, the oldest first. */
  async page(source: BadgeSource, request: PageRequest): Promise<Page<Badge>> {
    const statement = `SELECT b.* FROM (${SOURCES[source.kind].badges}) AS b ORDER BY b.created_at, b.id`;
    const page = await paginateStatement<object>(this.database, statement, idsOf(source), request);
    return { ...page, rows: page.rows.map(toBadge) };
  }

  /** A badge that shows in the source. */
  async find(source: BadgeSource, id: number): Promise<Badge | null> {
    const ids = idsOf(source);
    const text = `SELECT b.* FROM (${SOURCES[source.kind].badges}) AS b WHERE b.id = $${ids.length + 1}`;
    const [row] = await this.database.prepared(`badge_of_${source.kind}`, text, [...ids, id]);
    return row ? toBadge(row) : null;
  }

  /** The badge as it is now, which nobody else changes until the transaction ends. */
  async hold(id: number): Promise<Badge | null> {
    const text = 'SELECT * FROM badges WHERE id = $1 FOR UPDATE';
    const [row] = await this.database.prepared('hold_badge', text, [id]);
    return row ? toBadge(row) : null;
  }

  /** Null where the source is just being removed. */
  async insert(source: BadgeSource, { linkUrl, imageUrl }: BadgeUrls): Promise<Badge | null> {
    const { insert } = SOURCES[source.kind];
    const [id] = idsOf(source);
    const [row] = await this.database.prepared(`new_badge_of_${source.kind}`, insert, [
      id,
      linkUrl,
      imageUrl,
    ]);
    return row ? toBadge(row) : null;
  }

  async update(id: number, { linkUrl, imageUrl }: BadgeUrls): Promise<Badge | null> {
    const [row] = await this.database.prepared(
      'change_badge',
      'UPDATE badges SET link_url = $2, image_url = $3, updated_at = now() WHERE id = $1 RETURNING *',
      [id, linkUrl, imageUrl],
    );
    return row ? toBadge(row) : null;
  }

  async remove(id: number): Promise<void> {
    await this.database.prepared('remove_badge', 'DELETE FROM badges WHERE id = $1', [id]);
  }
}
