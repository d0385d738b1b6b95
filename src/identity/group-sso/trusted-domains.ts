import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';

/** Mail domains whose addresses an identity provider may vouch for, as the operator has said. */
@Injectable()
export class TrustedDomains {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'scimTrustedDomains'>) {}

  /** The very domain, not those below it. */
  trusts(email: string): boolean {
    return this.settings.scimTrustedDomains.has(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
  }
}
