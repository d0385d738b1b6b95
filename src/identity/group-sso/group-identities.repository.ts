import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { GROUP_SAML } from './group-saml';

/** Who is whom at the single sign-on of a group. */
@Injectable()
export class GroupIdentities {
  constructor(private readonly database: Database) {}

  /** Throws the driver's error (`identities_extern_uid`) where somebody else has the id in this group. */
  async link(samlProviderId: number, userId: number, externUid: string): Promise<void> {
    await this.database.prepared(
      'link_group_identity',
      `INSERT INTO identities (user_id, provider, extern_uid, saml_provider_id) VALUES ($1, '${GROUP_SAML}', $2, $3)
       ON CONFLICT (saml_provider_id, user_id) WHERE saml_provider_id IS NOT NULL
       DO UPDATE SET extern_uid = excluded.extern_uid, updated_at = now()`,
      [userId, externUid, samlProviderId],
    );
  }

  async unlink(samlProviderId: number, userId: number): Promise<void> {
    const text = 'DELETE FROM identities WHERE saml_provider_id = $1 AND user_id = $2';
    await this.database.prepared('unlink_group_identity', text, [samlProviderId, userId]);
  }
}
