import { uniqueViolation } from '#libs/database';
import { conflict, DomainError, invalidParameter } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { Directories } from './directories';
import type { LdapGroupLink } from './ldap-group-link.entity';
import type { AddLdapGroupLink } from './ldap-group-link.params';
import { LdapGroupLinksRepository } from './ldap-group-links.repository';

/** Which groups of directories a group follows. Members come and go with the next comparison. */
@Injectable()
export class LdapGroupLinks {
  constructor(
    private readonly links: LdapGroupLinksRepository,
    private readonly directories: Directories,
  ) {}

  /**
   * Throws 409 for a link that is there, 400 for a provider that is not configured. Where none is, links can be
   * prepared for any.
   */
  async add(groupId: number, params: ParamsOf<typeof AddLdapGroupLink>): Promise<LdapGroupLink> {
    const { cn, provider, group_access: groupAccess } = params;
    const isKnown = this.directories.providers.length === 0 || this.directories.named(provider) !== undefined;
    if (!isKnown) throw invalidParameter('provider does not have a valid value');
    try {
      return await this.links.insert({ groupId, provider, cn, groupAccess });
    } catch (error) {
      throw uniqueViolation(error) === 'ldap_group_links_cn' ? conflict('Cn has already been taken') : error;
    }
  }

  /** Throws 404 without such a link; `provider` null: of whichever provider. */
  async remove(groupId: number, provider: string | null, cn: string): Promise<void> {
    if (await this.links.remove(groupId, provider, cn)) return;
    throw new DomainError({ kind: 'not_found', message: 'Linked LDAP group not found' });
  }
}
