import type { Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import { GroupReach } from '../../repository/repository.api';
import { wantedLabels } from '../labels/label-conditions';
import type { DescribedEpic } from './described-epic';
import { EpicDescriptions } from './epic-descriptions.service';
import type { ListEpics } from './epic.params';
import { EpicsRepository } from './epics.repository';

const COLUMN = { created_at: 'createdAt', updated_at: 'updatedAt' } as const;

/** The epics of a group, and of those around it that the caller sees. */
@Injectable()
export class EpicLists {
  constructor(
    private readonly epics: EpicsRepository,
    private readonly reach: GroupReach,
    private readonly descriptions: EpicDescriptions,
  ) {}

  async list(
    actor: Actor,
    group: Namespace,
    params: ParamsOf<typeof ListEpics>,
    request: PageRequest,
  ): Promise<Page<DescribedEpic>> {
    const groups = await this.reach.around(actor, group.id, {
      descendants: params.include_descendant_groups,
      ancestors: params.include_ancestor_groups,
    });
    const page = await this.epics.page(
      {
        groupIds: groups.map(({ id }) => id),
        authorId: params.author_id,
        labels: wantedLabels(params.labels),
        state: params.state === 'all' ? undefined : params.state,
        search: params.search,
        createdAfter: params.created_after,
        createdBefore: params.created_before,
        updatedAfter: params.updated_after,
        updatedBefore: params.updated_before,
        orderBy: COLUMN[params.order_by],
        sort: params.sort,
      },
      request,
    );
    return { ...page, rows: await this.descriptions.describe(actor, groups, page.rows) };
  }
}
