import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LdapGroupLink } from './ldap-group-link.entity';

@Injectable()
export class LdapGroupLinksRepository {
  constructor(private readonly database: Database) {}

  /** In the order in which they were made. */
  of(groupId: number): Promise<LdapGroupLink[]> {
    return this.database.manager.find(LdapGroupLink, { where: { groupId }, order: { id: 'ASC' } });
  }

  async insert(
    link: Pick<LdapGroupLink, 'groupId' | 'provider' | 'cn' | 'groupAccess'>,
  ): Promise<LdapGroupLink> {
    const { manager } = this.database;
    const made = manager.create(LdapGroupLink, link);
    await manager.insert(LdapGroupLink, made);
    return made;
  }

  /** The oldest link with the name, in any letter case as in directories, of one provider or of any. False without one. */
  async remove(groupId: number, provider: string | null, cn: string): Promise<boolean> {
    const removed = await this.database.prepared(
      'remove_ldap_group_link',
      `DELETE FROM ldap_group_links WHERE id = (
         SELECT id FROM ldap_group_links
         WHERE group_id = $1 AND ($2::text IS NULL OR provider = $2) AND lower(cn) = lower($3) ORDER BY id LIMIT 1)
       RETURNING id`,
      [groupId, provider, cn],
    );
    return removed.length > 0;
  }
}
