import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { SshKey } from './ssh-key.entity';

export type SshKeyColumns = Pick<SshKey, 'userId' | 'title' | 'key' | 'fingerprint'>;

@Injectable()
export class SshKeysRepository {
  constructor(private readonly database: Database) {}

  page(userId: number, request: PageRequest): Promise<Page<SshKey>> {
    const query = this.database.manager
      .createQueryBuilder(SshKey, 'key')
      .where('key.userId = :userId', { userId })
      .orderBy('key.id', 'ASC');
    return paginate(query, request);
  }

  /** `userId` null: of whomever. */
  find(id: number, userId: number | null): Promise<SshKey | null> {
    return this.database.manager.findOneBy(SshKey, { id, ...(userId !== null && { userId }) });
  }

  count(userId: number): Promise<number> {
    return this.database.manager.countBy(SshKey, { userId });
  }

  /** Throws the driver's error when somebody has the key, see `uniqueViolation`: index `ssh_keys_fingerprint`. */
  async insert(columns: SshKeyColumns): Promise<SshKey> {
    const { manager } = this.database;
    const key = manager.create(SshKey, columns);
    await manager.insert(SshKey, key);
    return manager.findOneByOrFail(SshKey, { id: key.id });
  }

  async remove({ id }: SshKey): Promise<void> {
    await this.database.manager.delete(SshKey, { id });
  }
}
