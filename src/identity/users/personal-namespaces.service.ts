import { Injectable } from '@nestjs/common';
import { NamespaceTreeRepository } from '../namespaces/namespace-tree.repository';
import { NamespacesRepository } from '../namespaces/namespaces.repository';
import type { User } from './user.entity';

/** The namespaces that bear the names of their users. */
@Injectable()
export class PersonalNamespaces {
  constructor(
    private readonly namespaces: NamespacesRepository,
    private readonly tree: NamespaceTreeRepository,
  ) {}

  /** Whether a group, or a user other than `except`, has the path already. */
  async isTaken(username: string, except: Pick<User, 'username'>): Promise<boolean> {
    const isSame = username.toLowerCase() === except.username.toLowerCase();
    return !isSame && this.namespaces.pathIsTaken(username);
  }

  /**
   * Gives the namespace its user's new names, and all projects in it their new paths; call it in a transaction.
   * `user` is as before the change. Throws the driver's error when the path is taken.
   */
  async follow(
    user: User,
    {
      username = user.username,
      name = user.name,
    }: { username?: string | undefined; name?: string | undefined },
  ): Promise<void> {
    if (username === user.username && name === user.name) return;
    const found = await this.namespaces.find(user.username);
    const namespace = found && (await this.tree.holdForChange(found.id));
    if (!namespace) return;
    if (username !== user.username) await this.tree.rename(namespace, username);
    if (name !== user.name) await this.namespaces.setName(namespace.id, name);
  }
}
