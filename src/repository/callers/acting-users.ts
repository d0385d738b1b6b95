import type { Actor } from '#libs/access';
import { CallerResolver } from '#libs/http';
import { Injectable } from '@nestjs/common';

/** Users on whose behalf the system itself does something in a project. */
@Injectable()
export class ActingUsers {
  constructor(private readonly resolver: CallerResolver) {}

  /** With the level that they have in the project today; null for those who are gone or blocked. */
  async find(userId: number, project: { readonly id: number }): Promise<Actor | null> {
    const caller = { by: 'name' as const, idOrUsername: String(userId) };
    const { account, level } = await this.resolver.resolve(caller, { kind: 'project', id: project.id });
    if (!account || account.isBlocked) return null;
    return { user: account.user, level, credential: 'token', scopes: ['api'] };
  }
}
