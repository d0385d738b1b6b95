import { isAdmin, type Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { CustomAttributes } from '../custom-attributes/custom-attributes.service';
import type { Namespace } from '../namespaces/namespace.entity';
import type { ListedGroup } from './group-details';
import { GroupProjects } from './group-projects';
import { groupScope, scopeInside } from './group-scope';
import type { ListGroups } from './group.params';
import { GroupsRepository, type GroupFilter } from './groups.repository';

type ListParams = ParamsOf<typeof ListGroups>;

/** Lists of groups; the number of queries does not depend on that of groups. */
@Injectable()
export class GroupLists {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly projects: GroupProjects,
    private readonly attributes: CustomAttributes,
  ) {}

  list(actor: Actor, params: ListParams, page: PageRequest): Promise<Page<ListedGroup>> {
    return this.page(actor, { ...filterOf(actor, params), scope: groupScope(actor, params) }, params, page);
  }

  /** The groups directly inside, as far as they are the caller's to see. */
  inside(actor: Actor, { id }: Namespace, params: ListParams, page: PageRequest): Promise<Page<ListedGroup>> {
    const filter = { ...filterOf(actor, params), parentId: id, scope: scopeInside(actor, params) };
    return this.page(actor, filter, params, page);
  }

  private async page(
    actor: Actor,
    filter: GroupFilter,
    params: ListParams,
    request: PageRequest,
  ): Promise<Page<ListedGroup>> {
    const page = await this.groups.page(filter, request);
    const ids = page.rows.map(({ id }) => id);
    const statistics = isAdmin(actor) && params.statistics ? await this.projects.statistics(ids) : null;
    const attributes =
      isAdmin(actor) && params.with_custom_attributes ? await this.attributes.of('group', ids) : null;
    const rows = page.rows.map((group) => ({
      group,
      statistics: statistics?.get(group.id) ?? null,
      customAttributes: attributes?.get(group.id) ?? null,
    }));
    return { ...page, rows };
  }
}

const filterOf = (actor: Actor, params: ListParams): Omit<GroupFilter, 'scope'> => ({
  without: params.skip_groups ?? [],
  search: params.search,
  customAttributes: isAdmin(actor) ? params.custom_attributes : undefined,
  orderBy: params.order_by,
  sort: params.sort,
});
