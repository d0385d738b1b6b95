import { Database } from '#libs/database';
import { Injectable, Logger } from '@nestjs/common';
import { NamespaceContents } from './namespace-contents';
import { NamespaceRemovalRepository } from './namespace-removal.repository';
import { NamespaceTreeRepository } from './namespace-tree.repository';

const PROJECTS_AT_ONCE = 50;
const MEMBERS_AT_ONCE = 5_000;
const NAMESPACES_AT_ONCE = 500;

/**
 * Takes namespaces away: hidden at once, and then piece by piece with everything in them. What is left after a crash
 * is found by the next step: projects by their namespace, namespaces by their parent, the uppermost one goes last.
 */
@Injectable()
export class NamespaceRemoval {
  private readonly logger = new Logger(NamespaceRemoval.name);

  constructor(
    private readonly database: Database,
    private readonly tree: NamespaceTreeRepository,
    private readonly rows: NamespaceRemovalRepository,
    private readonly contents: NamespaceContents,
  ) {}

  /** Nobody reaches the namespace, what is below it, or a project in it from the end of this transaction on. */
  async hide(namespaceId: number): Promise<void> {
    await this.tree.hide(namespaceId);
  }

  /** Removes the namespace with all that it holds. Does nothing for one that is gone, so it may be called again. */
  async remove(namespaceId: number, signal: AbortSignal): Promise<void> {
    while (await this.removeSome(namespaceId, signal)) signal.throwIfAborted();
  }

  /** One step of `remove`: a bounded part of the work. False when nothing is left. */
  async removeSome(namespaceId: number, signal: AbortSignal): Promise<boolean> {
    const size = await this.database.transaction(() => this.tree.hide(namespaceId));
    if (size === 0) return false;
    const projects = await this.contents.removeSome(namespaceId, PROJECTS_AT_ONCE, signal);
    if (projects > 0) return this.report(namespaceId, { projects });
    const members = await this.rows.removeMembers(namespaceId, MEMBERS_AT_ONCE);
    if (members > 0) return this.report(namespaceId, { members });
    const ids = await this.rows.deepest(namespaceId, NAMESPACES_AT_ONCE);
    const namespaces = await this.database.transaction(() => this.rows.removeEmpty(ids));
    return this.report(namespaceId, { namespaces: namespaces.length, left: size - namespaces.length });
  }

  private report(namespaceId: number, removed: Readonly<Record<string, number>>): true {
    this.logger.log({ namespace: namespaceId, ...removed }, 'part of a namespace was removed');
    return true;
  }
}
