import { Database, paginateStatement } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { OWNER_COLUMN, type AttributedKind, type CustomAttribute } from './custom-attribute';

interface OwnedAttribute extends CustomAttribute {
  readonly owner_id: number;
}

@Injectable()
export class CustomAttributesRepository {
  constructor(private readonly database: Database) {}

  /** In the order of their keys. */
  of(kind: AttributedKind, ownerIds: readonly number[]): Promise<OwnedAttribute[]> {
    const owner = OWNER_COLUMN[kind];
    return this.database.prepared<OwnedAttribute>(
      `custom_attributes_of_${kind}s`,
      `SELECT ${owner} AS owner_id, key, value FROM custom_attributes
       WHERE ${owner} = ANY($1::bigint[]) ORDER BY ${owner}, key`,
      [ownerIds],
    );
  }

  page(kind: AttributedKind, ownerId: number, request: PageRequest): Promise<Page<CustomAttribute>> {
    const text = `SELECT key, value FROM custom_attributes WHERE ${OWNER_COLUMN[kind]} = $1 ORDER BY id`;
    return paginateStatement<CustomAttribute>(this.database, text, [ownerId], request);
  }

  async find(kind: AttributedKind, ownerId: number, key: string): Promise<CustomAttribute | null> {
    const [row] = await this.database.prepared<OwnedAttribute>(
      `custom_attribute_of_${kind}`,
      `SELECT key, value FROM custom_attributes WHERE ${OWNER_COLUMN[kind]} = $1 AND key = $2`,
      [ownerId, key],
    );
    return row ?? null;
  }

  async set(kind: AttributedKind, ownerId: number, { key, value }: CustomAttribute): Promise<void> {
    const owner = OWNER_COLUMN[kind];
    await this.database.prepared(
      `set_custom_attribute_of_${kind}`,
      `INSERT INTO custom_attributes (${owner}, key, value) VALUES ($1, $2, $3)
       ON CONFLICT (${owner}, key) WHERE ${owner} IS NOT NULL DO UPDATE SET value = excluded.value, updated_at = now()`,
      [ownerId, key, value],
    );
  }

  async remove(kind: AttributedKind, ownerId: number, key: string): Promise<boolean> {
    const rows = await this.database.prepared(
      `remove_custom_attribute_of_${kind}`,
      `DELETE FROM custom_attributes WHERE ${OWNER_COLUMN[kind]} = $1 AND key = $2 RETURNING id`,
      [ownerId, key],
    );
    return rows.length > 0;
  }
}
