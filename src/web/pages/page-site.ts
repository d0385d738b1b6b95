import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';

/** Where browsers find the pages. */
@Injectable()
export class PageSite {
  readonly externalUrl: string;
  /** Path of the external URL: what a proxy takes off before it asks us. */
  readonly base: string;
  /** Browsers reach the service over TLS. */
  readonly secure: boolean;

  constructor(@Inject(SETTINGS) { externalUrl }: Settings) {
    const { pathname, protocol } = new URL(externalUrl);
    this.externalUrl = externalUrl;
    this.base = pathname.replace(/\/$/, '');
    this.secure = protocol === 'https:';
  }
}
