import { isAdmin, Level, signedIn, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Namespace } from './namespace.entity';
import { NamespaceTreeRepository } from './namespace-tree.repository';
import { NamespacesRepository } from './namespaces.repository';

/** Where projects can live: personal namespaces and groups. */
@Injectable()
export class Namespaces {
  constructor(
    private readonly namespaces: NamespacesRepository,
    private readonly tree: NamespaceTreeRepository,
  ) {}

  /** Administrators see all, others their own and those in which they are a member. */
  list(actor: Actor, search: string | undefined, page: PageRequest): Promise<Page<Namespace>> {
    return this.namespaces.page(isAdmin(actor) ? null : signedIn(actor).id, search, page);
  }

  /** Throws "404 Namespace Not Found" also where the caller has no say in it. */
  async show(actor: Actor, idOrPath: number | string): Promise<Namespace> {
    const { id: userId } = signedIn(actor);
    const namespace = await this.namespaces.find(idOrPath);
    if (!namespace) throw notFound('Namespace');
    if (isAdmin(actor) || namespace.ownerId === userId) return namespace;
    if ((await this.namespaces.levelOf(userId, namespace)) === 0) throw notFound('Namespace');
    return namespace;
  }

  /** By id or full path in any letter case, whoever asks; null when there is none. */
  find(idOrPath: number | string): Promise<Namespace | null> {
    return this.namespaces.find(idOrPath);
  }

  /** Whoever asks, in the order of the ids; those that are gone are left out. */
  byIds(ids: readonly number[]): Promise<Namespace[]> {
    return this.namespaces.byIds(ids);
  }

  /** The user's greatest live level in the namespace or above it; 0 outside of it. The owner of a personal one is its owner. */
  async levelOf(userId: number, namespace: Namespace): Promise<number> {
    return namespace.ownerId === userId ? Level.owner : this.namespaces.levelOf(userId, namespace);
  }

  /**
   * For whoever puts something into a namespace: keeps it and all above it as they are until the transaction ends.
   * Null where it is gone meanwhile.
   */
  hold(id: number): Promise<Namespace | null> {
    return this.tree.hold(id);
  }

  pathIsTaken(fullPath: string): Promise<boolean> {
    return this.namespaces.pathIsTaken(fullPath);
  }
}
