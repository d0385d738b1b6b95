import { Database } from '#libs/database';
import type { INestApplicationContext } from '@nestjs/common';
import { AccessTokens, Accounts } from '../identity/identity.api';
import type { Log } from '../logging/log';
import type { Settings } from '../settings/settings';
import { withApplication } from './application-context';
import { hasUsers } from './any-user.repository';
import { generatedRootToken } from './initial-token';

/** What the first start has made. */
export interface FirstStart {
  /** To be shown once; null where the operator has chosen it. */
  readonly generatedToken: string | null;
}

const LOCK = 'first-start';

/**
 * Creates the administrator `root` with a personal access token in a database that has no users yet; null where it
 * has. Safe for any number of nodes at once, and after a crash at any moment.
 */
export async function firstStart(
  settings: Settings,
  databaseUrl: string,
  log: Log,
): Promise<FirstStart | null> {
  if (await hasUsers(databaseUrl)) return null;
  return withApplication(settings, databaseUrl, log, (application) =>
    application.get(Database).holdLock(LOCK, async () => {
      // Another node may have been here while this one waited.
      if (await hasUsers(databaseUrl)) return null;
      const generatedToken =
        settings.initialRootToken === null ? await generatedRootToken(settings.dataDir) : null;
      await createRoot(
        application,
        settings.initialRootPassword,
        settings.initialRootToken ?? generatedToken ?? '',
      );
      return { generatedToken };
    }),
  );
}

/** Account and token together, or neither. */
async function createRoot(
  application: INestApplicationContext,
  password: string | null,
  secret: string,
): Promise<void> {
  await application.get(Database).transaction(async () => {
    const root = await application.get(Accounts).open({
      username: 'root',
      name: 'Administrator',
      email: 'admin@example.com',
      password,
      isAdmin: true,
      isConfirmed: true,
    });
    const token = {
      kind: 'personal',
      name: 'Initial token',
      scopes: ['api', 'sudo'],
      expiresAt: null,
      secret,
    } as const;
    await application.get(AccessTokens).issue(root, token);
  });
}
