import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { EpicChanges } from './epic-changes.service';
import { EpicDescriptions } from './epic-descriptions.service';
import { EpicLists } from './epic-lists.service';
import { CreateEpic, EpicPath, ListEpics, UpdateEpic } from './epic.params';
import { presentEpic } from './epic.presenter';
import { Epics } from './epics.service';

/** The reference looks for the group, and whether there are epics at all, before anything else. */
const EPICS = {
  access: 'group:reader',
  accessFirst: 'group:reader',
  feature: 'epics',
  saysUnlicensed: true,
} as const;

@Controller()
export class EpicsController {
  constructor(
    private readonly epics: Epics,
    private readonly lists: EpicLists,
    private readonly changes: EpicChanges,
    private readonly descriptions: EpicDescriptions,
  ) {}

  @Endpoint('GET /groups/:id/epics', { ...EPICS, params: ListEpics, presents: presentEpic, paginated: true })
  list({ actor, subject: group, params, page }: GroupCall<typeof ListEpics>) {
    return this.lists.list(actor, group, params, page);
  }

  @Endpoint('GET /groups/:id/epics/:epic_iid', { ...EPICS, params: EpicPath, presents: presentEpic })
  async show({ actor, subject: group, params }: GroupCall<typeof EpicPath>) {
    return this.descriptions.describeOne(actor, group, await this.epics.require(group, params.epic_iid));
  }

  @Endpoint('POST /groups/:id/epics', {
    ...EPICS,
    access: 'group:reporter',
    params: CreateEpic,
    presents: presentEpic,
  })
  async create({ actor, subject: group, params }: GroupCall<typeof CreateEpic>) {
    return this.descriptions.describeOne(actor, group, await this.changes.create(actor, group, params));
  }

  @Endpoint('PUT /groups/:id/epics/:epic_iid', {
    ...EPICS,
    access: 'group:reporter',
    params: UpdateEpic,
    presents: presentEpic,
  })
  async update({ actor, subject: group, params }: GroupCall<typeof UpdateEpic>) {
    return this.descriptions.describeOne(actor, group, await this.changes.update(actor, group, params));
  }

  @Endpoint('DELETE /groups/:id/epics/:epic_iid', { ...EPICS, access: 'group:owner', params: EpicPath })
  remove({ subject: group, params, unmodifiedSince }: GroupCall<typeof EpicPath>) {
    return this.changes.remove(group, params.epic_iid, unmodifiedSince);
  }
}
