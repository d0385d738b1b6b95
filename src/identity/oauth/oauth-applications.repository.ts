import { Database, hydrate, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { OAuthApplication } from './oauth-application.entity';

export type ApplicationColumns = Pick<
  OAuthApplication,
  'uid' | 'secretDigest' | 'name' | 'redirectUris' | 'scopes' | 'confidential' | 'trusted' | 'ownerId'
>;

@Injectable()
export class OAuthApplicationsRepository {
  constructor(private readonly database: Database) {}

  page(request: PageRequest): Promise<Page<OAuthApplication>> {
    const query = this.database.manager.createQueryBuilder(OAuthApplication, 'application');
    return paginate(query.orderBy('application.id', 'ASC'), request);
  }

  /** `limit` of them, the oldest first. */
  ofOwner(ownerId: number, limit: number): Promise<OAuthApplication[]> {
    return this.database.manager.find(OAuthApplication, {
      where: { ownerId },
      order: { id: 'ASC' },
      take: limit,
    });
  }

  countOfOwner(ownerId: number): Promise<number> {
    return this.database.manager.countBy(OAuthApplication, { ownerId });
  }

  /** `ownerId` undefined: of whomever. */
  find(id: number, ownerId?: number): Promise<OAuthApplication | null> {
    return this.database.manager.findOneBy(OAuthApplication, {
      id,
      ...(ownerId !== undefined && { ownerId }),
    });
  }

  /** With the digest of its secret. */
  async findByUid(uid: string): Promise<OAuthApplication | null> {
    const text = 'SELECT * FROM oauth_applications WHERE uid = $1';
    const [row] = await this.database.prepared('oauth_application_by_uid', text, [uid]);
    return row ? hydrate(OAuthApplication, row) : null;
  }

  async insert(columns: ApplicationColumns): Promise<OAuthApplication> {
    const { manager } = this.database;
    const application = manager.create(OAuthApplication, columns);
    await manager.insert(OAuthApplication, application);
    return manager.findOneByOrFail(OAuthApplication, { id: application.id });
  }

  async update(id: number, changes: Partial<ApplicationColumns>): Promise<void> {
    await this.database.manager.update(OAuthApplication, { id }, { ...changes, updatedAt: new Date() });
  }

  /** With everything that was granted to it. False when there is none. `ownerId` undefined: of whomever. */
  async remove(id: number, ownerId?: number): Promise<boolean> {
    const { affected } = await this.database.manager.delete(OAuthApplication, {
      id,
      ...(ownerId !== undefined && { ownerId }),
    });
    return affected !== 0;
  }
}
