import { createHash } from 'node:crypto';
import { withMigrationLock } from '#libs/database';
import { hash } from '@node-rs/argon2';
import type { Settings } from '../settings/settings';
import { createAdministrator, hasUsers } from './administrator.repository';
import { generatedRootToken } from './initial-token';

/** What the first start has made. */
export interface FirstStart {
  /** To be shown once; null where the operator has chosen it. */
  readonly generatedToken: string | null;
}

/**
 * Creates the administrator `root` with a personal access token in a database that has no users yet; null where it
 * has. Safe for any number of nodes at once, and after a crash at any moment.
 */
export function firstStart(settings: Settings, databaseUrl: string): Promise<FirstStart | null> {
  return withMigrationLock(databaseUrl, async () => {
    if (await hasUsers(databaseUrl)) return null;
    const generatedToken =
      settings.initialRootToken === null ? await generatedRootToken(settings.dataDir) : null;
    const token = settings.initialRootToken ?? generatedToken ?? '';
    await createAdministrator(databaseUrl, {
      passwordDigest: settings.initialRootPassword === null ? null : await hash(settings.initialRootPassword),
      tokenDigest: createHash('sha256').update(token).digest(),
    });
    return { generatedToken };
  });
}
