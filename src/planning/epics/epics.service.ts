import type { Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import { GroupReach } from '../../repository/repository.api';
import type { Epic } from './epic.entity';
import { EpicsRepository } from './epics.repository';

/** Epics as everything that hangs on them finds them: notes, award emoji, issues. */
@Injectable()
export class Epics {
  constructor(
    private readonly epics: EpicsRepository,
    private readonly reach: GroupReach,
  ) {}

  /** An epic of the group itself, which the caller sees. Throws "404 Not found". */
  async require(group: Pick<Namespace, 'id'>, iid: number): Promise<Epic> {
    const epic = await this.epics.find(group.id, iid);
    if (!epic) throw notFound();
    return epic;
  }

  /**
   * An epic of the group or of a group inside of it, as the reference looks them up by id. Throws "404 Not found" both
   * where there is none and where the caller may not see its group.
   */
  async requireById(actor: Actor, group: Pick<Namespace, 'id'>, id: number): Promise<Epic> {
    const epic = await this.epics.findById(id);
    if (!epic) throw notFound();
    if (epic.groupId === group.id) return epic;
    const seen = await this.reach.around(actor, group.id, { descendants: true, ancestors: false });
    if (!seen.some(({ id: groupId }) => groupId === epic.groupId)) throw notFound();
    return epic;
  }
}
