import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { LabelFollowers } from './label-followers.service';
import {
  CreateGroupLabel,
  DeleteNamedLabel,
  LabelInPath,
  ListLabels,
  ReadLabel,
  UpdateGroupLabel,
  UpdateNamedGroupLabel,
} from './label.params';
import { presentGroupLabel } from './label.presenter';
import { nameOf } from './named-label';
import { Labels } from './labels.service';
import { placeOfGroup } from './place';

const READ = { access: 'group:reader', loginFirst: true, presents: presentGroupLabel } as const;
const MANAGE = { access: 'group:reporter', presents: presentGroupLabel } as const;

/** Labels that a group lends to all projects inside, as the reference has them. */
@Controller()
export class GroupLabelsController {
  constructor(
    private readonly labels: Labels,
    private readonly followers: LabelFollowers,
  ) {}

  @Endpoint('GET /groups/:id/labels', { ...READ, params: ListLabels, paginated: true })
  list({ actor, subject: group, params, page }: GroupCall<typeof ListLabels>) {
    return this.labels.list(actor, placeOfGroup(group), params, page);
  }

  @Endpoint('GET /groups/:id/labels/:name', { ...READ, params: ReadLabel })
  show({ actor, subject: group, params }: GroupCall<typeof ReadLabel>) {
    const { name, include_ancestor_groups: fromAncestors } = params;
    return this.labels.show(actor, placeOfGroup(group), name, fromAncestors);
  }

  @Endpoint('POST /groups/:id/labels', { ...MANAGE, params: CreateGroupLabel })
  create({ actor, subject: group, params }: GroupCall<typeof CreateGroupLabel>) {
    return this.labels.create(actor, placeOfGroup(group), params);
  }

  @Endpoint('PUT /groups/:id/labels', { ...MANAGE, params: UpdateNamedGroupLabel })
  updateNamed({ actor, subject: group, params }: GroupCall<typeof UpdateNamedGroupLabel>) {
    return this.labels.update(actor, placeOfGroup(group), nameOf(params), params);
  }

  @Endpoint('PUT /groups/:id/labels/:name', { ...MANAGE, params: UpdateGroupLabel })
  update({ actor, subject: group, params }: GroupCall<typeof UpdateGroupLabel>) {
    return this.labels.update(actor, placeOfGroup(group), params.name, params);
  }

  @Endpoint('DELETE /groups/:id/labels', { access: 'group:reporter', params: DeleteNamedLabel })
  deleteNamed({ subject: group, params, unmodifiedSince }: GroupCall<typeof DeleteNamedLabel>) {
    return this.labels.delete(placeOfGroup(group), nameOf(params), unmodifiedSince);
  }

  @Endpoint('DELETE /groups/:id/labels/:name', { access: 'group:reporter', params: LabelInPath })
  delete({ subject: group, params, unmodifiedSince }: GroupCall<typeof LabelInPath>) {
    return this.labels.delete(placeOfGroup(group), params.name, unmodifiedSince);
  }

  @Endpoint('POST /groups/:id/labels/:name/subscribe', { ...READ, params: LabelInPath })
  subscribe({ actor, subject: group, params }: GroupCall<typeof LabelInPath>) {
    return this.followers.set(actor, placeOfGroup(group), params.name, true);
  }

  @Endpoint('POST /groups/:id/labels/:name/unsubscribe', { ...READ, params: LabelInPath })
  unsubscribe({ actor, subject: group, params }: GroupCall<typeof LabelInPath>) {
    return this.followers.set(actor, placeOfGroup(group), params.name, false);
  }
}
