import { Database, hydrate, paginateStatement, substringPattern } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Label } from './label.entity';
import type { LabelText } from './label-rules';
import { nearestFirst, ownIn, placeValues, usableIn, type Place } from './place';

/** How far above the place labels may come from: all groups, the nearest alone (the reference's own idea), or none. */
export type Reach = 'ancestors' | 'parent' | 'own';

export interface LabelSearch {
  readonly reach: Reach;
  /** In title or description. */
  readonly search?: string | undefined;
}

const REACHES: Readonly<Record<Reach, string>> = {
  ancestors: usableIn('l'),
  parent: '(l.project_id = $1::bigint OR l.group_id = $2::bigint)',
  own: ownIn('l'),
};

const toLabel = (row: object): Label => hydrate(Label, row);

@Injectable()
export class LabelsRepository {
  constructor(private readonly database: Database) {}

  /** For a sentence about the group. */
  async groupName(id: number): Promise<string> {
    const [row] = await this.database.prepared<{ name: string }>(
      'name_of_group',
      'SELECT name FROM namespaces WHERE id = $1',
      [id],
    );
    return row?.name ?? '';
  }

  /** By title; of namesakes the project's own comes first. */
  async page(place: Place, { reach, search }: LabelSearch, request: PageRequest): Promise<Page<Label>> {
    const values: unknown[] = [...placeValues(place)];
    let condition = REACHES[reach];
    if (search !== undefined && search !== '') {
      values.push(substringPattern(search));
      condition += ` AND (lower(l.title) LIKE $3 OR lower(l.description) LIKE $3)`;
    }
    const statement = `SELECT l.* FROM labels l WHERE ${condition} ORDER BY l.title, l.project_id IS NULL, l.id`;
    const page = await paginateStatement<object>(this.database, statement, values, request);
    return { ...page, rows: page.rows.map(toLabel) };
  }

  async byIds(ids: readonly number[]): Promise<Label[]> {
    const text = 'SELECT * FROM labels WHERE id = ANY($1::bigint[])';
    return (await this.database.prepared('labels_by_id', text, [ids])).map(toLabel);
  }

  /** By id, else by title; of namesakes the nearest. */
  async find(place: Place, reach: Reach, idOrTitle: string): Promise<Label | null> {
    const id = /^\d{1,15}$/.test(idOrTitle) ? Number(idOrTitle) : null;
    const [row] = await this.database.prepared(
      `label_in_${reach}`,
      `SELECT l.* FROM labels l WHERE ${REACHES[reach]} AND (l.id = $3::bigint OR l.title = $4)
       ORDER BY l.id = $3::bigint DESC NULLS LAST, ${nearestFirst('l')} LIMIT 1`,
      [...placeValues(place), id, idOrTitle],
    );
    return row ? toLabel(row) : null;
  }

  /** The nearest label of each title, which nobody removes until the transaction ends. */
  async holdByTitles(place: Place, titles: readonly string[]): Promise<Label[]> {
    const rows = await this.database.prepared(
      'hold_labels_by_title',
      `SELECT l.* FROM labels l WHERE ${usableIn('l')} AND l.title = ANY($3)
       ORDER BY ${nearestFirst('l')}, l.id FOR KEY SHARE`,
      [...placeValues(place), titles],
    );
    const nearest = new Map<string, Label>();
    for (const label of rows.map(toLabel)) if (!nearest.has(label.title)) nearest.set(label.title, label);
    return [...nearest.values()];
  }

  /** The nearest label of this title. */
  async findByTitle(place: Place, title: string): Promise<Label | null> {
    const [row] = await this.database.prepared(
      'label_by_title',
      `SELECT l.* FROM labels l WHERE ${usableIn('l')} AND l.title = $3 ORDER BY ${nearestFirst('l')} LIMIT 1`,
      [...placeValues(place), title],
    );
    return row ? toLabel(row) : null;
  }

  /** The label as it is now, which nobody else changes until the transaction ends. */
  async hold(id: number): Promise<Label | null> {
    const text = 'SELECT * FROM labels WHERE id = $1 FOR NO KEY UPDATE';
    const [row] = await this.database.prepared('hold_label', text, [id]);
    return row ? toLabel(row) : null;
  }

  /** Null where the place has one of that title, or is just being removed. */
  async insert({ projectId, namespaceId }: Place, label: LabelText): Promise<Label | null> {
    const isProject = projectId !== null;
    const [name, column, source, kind] = isProject
      ? (['new_project_label', 'project_id', 'projects', 'true'] as const)
      : (['new_group_label', 'group_id', 'namespaces', `s.kind = 'group'`] as const);
    const [row] = await this.database.prepared(
      name,
      `INSERT INTO labels (${column}, title, color, description)
       SELECT s.id, $2, $3, $4 FROM ${source} s WHERE s.id = $1 AND NOT s.pending_delete AND ${kind} FOR KEY SHARE
       ON CONFLICT DO NOTHING RETURNING *`,
      [isProject ? projectId : namespaceId, label.title, label.color, label.description],
    );
    return row ? toLabel(row) : null;
  }

  /** Throws the driver's error when the title is taken. */
  async update(id: number, { title, color, description }: LabelText): Promise<Label | null> {
    const [row] = await this.database.prepared(
      'change_label',
      `UPDATE labels SET title = $2, color = $3, description = $4, updated_at = now() WHERE id = $1 RETURNING *`,
      [id, title, color, description],
    );
    return row ? toLabel(row) : null;
  }

  async remove(id: number): Promise<void> {
    await this.database.prepared('remove_label', 'DELETE FROM labels WHERE id = $1', [id]);
  }
}
