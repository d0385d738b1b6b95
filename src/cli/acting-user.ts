import type { Actor } from '#libs/access';
import type { INestApplicationContext } from '@nestjs/common';
import { Users, type User } from '../identity/identity.api';
import { UsageError } from './command';

/** Throws UsageError when there is no such user. */
export async function requireUser(application: INestApplicationContext, username: string): Promise<User> {
  const user = await application.get(Users).find(username);
  if (!user) throw new UsageError(`there is no user ${username}`);
  return user;
}

/** Who stands at the terminal acts as this user, with all the user's rights. */
export const actingAs = (user: User): Actor => ({ user, level: 0, credential: 'token', scopes: ['api'] });
