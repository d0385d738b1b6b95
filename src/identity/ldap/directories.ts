import { Inject, Injectable } from '@nestjs/common';
import type { LdapProvider, Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';

/** The directories that the operator has configured, in the order in which sign-in asks them. */
@Injectable()
export class Directories {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'ldapProviders'>) {}

  get providers(): readonly LdapProvider[] {
    return this.settings.ldapProviders;
  }

  /** Whether any group here can follow one of a directory. */
  get haveGroups(): boolean {
    return this.providers.some(({ groups }) => groups !== null);
  }

  /** Undefined for a name that nobody has configured. */
  named(name: string): LdapProvider | undefined {
    return this.providers.find((provider) => provider.name === name);
  }
}
