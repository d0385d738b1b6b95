import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { AccessToken, type AccessTokenKind } from './access-token.entity';

export interface AccessTokenFilter {
  readonly kind: AccessTokenKind;
  /** Null: of everybody. */
  readonly userId: number | null;
  readonly state: 'all' | 'active' | 'inactive';
}

export type AccessTokenColumns = Pick<AccessToken, 'kind' | 'userId' | 'name' | 'digest' | 'scopes'> &
  Partial<Pick<AccessToken, 'expiresAt' | 'csrfDigest'>>;

const ACTIVE = '(token.revokedAt IS NULL AND (token.expiresAt IS NULL OR token.expiresAt > now()))';

@Injectable()
export class AccessTokensRepository {
  constructor(private readonly database: Database) {}

  page({ kind, userId, state }: AccessTokenFilter, request: PageRequest): Promise<Page<AccessToken>> {
    const query = this.database.manager
      .createQueryBuilder(AccessToken, 'token')
      .where('token.kind = :kind', { kind })
      .orderBy('token.id', 'ASC');
    if (userId !== null) query.andWhere('token.userId = :userId', { userId });
    if (state === 'active') query.andWhere(ACTIVE);
    if (state === 'inactive') query.andWhere(`NOT ${ACTIVE}`);
    return paginate(query, request);
  }

  /** `userId` null: of whomever. */
  find(kind: AccessTokenKind, id: number, userId: number | null): Promise<AccessToken | null> {
    return this.database.manager.findOneBy(AccessToken, { kind, id, ...(userId !== null && { userId }) });
  }

  async insert(columns: AccessTokenColumns): Promise<AccessToken> {
    const { manager } = this.database;
    const token = manager.create(AccessToken, columns);
    await manager.insert(AccessToken, token);
    return manager.findOneByOrFail(AccessToken, { id: token.id });
  }

  async saveRevocation({ id, revokedAt }: AccessToken): Promise<void> {
    await this.database.manager.update(AccessToken, { id }, { revokedAt, updatedAt: new Date() });
  }
}
