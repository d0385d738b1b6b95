import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { invalid, notFound, type ValidationErrors } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.repository';
import { NamespaceTreeRepository } from '../namespaces/namespace-tree.repository';
import { NamespacesRepository } from '../namespaces/namespaces.repository';
import type { ChangeSamlProvider } from './group-sso.params';
import type { SamlProvider } from './saml-provider.entity';
import { SamlProvidersRepository, type SamlSettings } from './saml-providers.repository';

/** SHA-1 or SHA-256: 20 or 32 bytes. */
const FINGERPRINT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** The single sign-on of groups. */
@Injectable()
export class GroupSso {
  constructor(
    private readonly database: Database,
    private readonly providers: SamlProvidersRepository,
    private readonly namespaces: NamespacesRepository,
    private readonly tree: NamespaceTreeRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Null for a group without. */
  find(groupId: number): Promise<SamlProvider | null> {
    return this.providers.find(groupId);
  }

  /** Throws "404 Not found" for a group without. */
  async show(groupId: number): Promise<SamlProvider> {
    const found = await this.providers.find(groupId);
    if (!found) throw notFound();
    return found;
  }

  /** For who names a group by its id. Throws "404 Group Not Found", or "404 SAML Provider Not Found" for one without. */
  async ofGroup(groupId: number): Promise<SamlProvider> {
    if ((await this.namespaces.find(groupId))?.kind !== 'group') throw notFound('Group');
    const found = await this.providers.find(groupId);
    if (!found) throw notFound('SAML Provider');
    return found;
  }

  /**
   * The group's single sign-on, made with settings to be completed where there is none; in a transaction. Throws "404
   * Group Not Found" for a group that is just removed.
   */
  async ensure(groupId: number): Promise<SamlProvider> {
    if (!(await this.tree.hold(groupId))) throw notFound('Group');
    await this.providers.ensure(groupId);
    return this.show(groupId);
  }

  /** Switches single sign-on on, off, or over to another provider. Throws `validation` for what is neither URL nor digest. */
  change(
    actor: Actor,
    groupId: number,
    params: ParamsOf<typeof ChangeSamlProvider>,
    address: string,
  ): Promise<SamlProvider> {
    const settings = settingsOf(params);
    return this.database.transaction(async () => {
      await this.ensure(groupId);
      await this.providers.update(groupId, settings);
      await this.audit.record({
        actor: { kind: 'user', id: signedIn(actor).id },
        action: 'saml_provider.changed',
        groupId,
        details: { ...settings },
        address,
      });
      return this.show(groupId);
    });
  }
}

function settingsOf(params: ParamsOf<typeof ChangeSamlProvider>): SamlSettings {
  const { sso_url: ssoUrl, certificate_fingerprint: fingerprint, enabled } = params;
  const digits = fingerprint?.replaceAll(/[:\s]/g, '');
  const errors: ValidationErrors = {};
  if (ssoUrl !== undefined && !isWebAddress(ssoUrl)) errors['sso_url'] = ['must be a valid URL'];
  if (digits !== undefined && !FINGERPRINT.test(digits)) errors['certificate_fingerprint'] = ['is invalid'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return {
    ...(ssoUrl !== undefined && { ssoUrl }),
    ...(digits !== undefined && {
      certificateFingerprint: digits.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:'),
    }),
    ...(enabled !== undefined && { enabled }),
  };
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}
