import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { SamlProvider } from './saml-provider.entity';

export type SamlSettings = Partial<Pick<SamlProvider, 'ssoUrl' | 'certificateFingerprint' | 'enabled'>>;

@Injectable()
export class SamlProvidersRepository {
  constructor(private readonly database: Database) {}

  async find(groupId: number): Promise<SamlProvider | null> {
    const text = 'SELECT * FROM saml_providers WHERE group_id = $1';
    const [row] = await this.database.prepared('saml_provider_of_group', text, [groupId]);
    return row ? hydrate(SamlProvider, row) : null;
  }

  /** Makes one with settings to be completed where there is none. */
  async ensure(groupId: number): Promise<void> {
    const text = 'INSERT INTO saml_providers (group_id) VALUES ($1) ON CONFLICT (group_id) DO NOTHING';
    await this.database.prepared('ensure_saml_provider', text, [groupId]);
  }

  async update(groupId: number, settings: SamlSettings): Promise<void> {
    await this.database.manager.update(SamlProvider, { groupId }, { ...settings, updatedAt: new Date() });
  }
}
