import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { GpgKey } from './gpg-key.entity';
import type { PublicKeyBlock } from './public-key-block';

@Injectable()
export class GpgKeysRepository {
  constructor(private readonly database: Database) {}

  page(userId: number, request: PageRequest): Promise<Page<GpgKey>> {
    const query = this.database.manager
      .createQueryBuilder(GpgKey, 'key')
      .where('key.userId = :userId', { userId })
      .orderBy('key.id', 'ASC');
    return paginate(query, request);
  }

  find(id: number, userId: number): Promise<GpgKey | null> {
    return this.database.manager.findOneBy(GpgKey, { id, userId });
  }

  count(userId: number): Promise<number> {
    return this.database.manager.countBy(GpgKey, { userId });
  }

  /**
   * Throws the driver's error when somebody has the key, see `uniqueViolation`: index `gpg_keys_fingerprint` or
   * `gpg_keys_key_id`.
   */
  async insert(userId: number, block: PublicKeyBlock): Promise<GpgKey> {
    const { text: key, fingerprint, keyId, userIds, subkeyIds } = block;
    const { manager } = this.database;
    const made = manager.create(GpgKey, { userId, key, fingerprint, keyId, userIds });
    await manager.insert(GpgKey, made);
    await this.database.prepared(
      'insert_gpg_subkeys',
      'INSERT INTO gpg_subkeys (gpg_key_id, key_id) SELECT $1, unnest($2::text[])',
      [made.id, subkeyIds],
    );
    return manager.findOneByOrFail(GpgKey, { id: made.id });
  }

  async remove({ id }: GpgKey): Promise<void> {
    await this.database.manager.delete(GpgKey, { id });
  }
}
