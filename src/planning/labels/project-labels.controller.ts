import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { LabelFollowers } from './label-followers.service';
import { LabelPromotion } from './label-promotion.service';
import {
  CreateProjectLabel,
  DeleteNamedLabel,
  LabelInPath,
  ListLabels,
  PromoteNamedLabel,
  ReadLabel,
  UpdateNamedProjectLabel,
  UpdateProjectLabel,
} from './label.params';
import { presentGroupLabel, presentProjectLabel } from './label.presenter';
import { nameOf } from './named-label';
import { Labels } from './labels.service';
import { placeOfProject } from './place';

const READ = { access: 'project:read_labels', loginFirst: true, presents: presentProjectLabel } as const;
const MANAGE = { access: 'project:manage_labels', presents: presentProjectLabel } as const;
const PROMOTE = { access: 'project:manage_labels', presents: presentGroupLabel } as const;

/** Labels as the reference has them. The rows that promote stand before those that take a name. */
@Controller()
export class ProjectLabelsController {
  constructor(
    private readonly labels: Labels,
    private readonly promotion: LabelPromotion,
    private readonly followers: LabelFollowers,
  ) {}

  @Endpoint('GET /projects/:id/labels', { ...READ, params: ListLabels, paginated: true })
  list({ actor, subject: project, params, page }: ProjectCall<typeof ListLabels>) {
    return this.labels.list(actor, placeOfProject(project), params, page);
  }

  @Endpoint('GET /projects/:id/labels/:name', { ...READ, params: ReadLabel })
  show({ actor, subject: project, params }: ProjectCall<typeof ReadLabel>) {
    const { name, include_ancestor_groups: fromAncestors } = params;
    return this.labels.show(actor, placeOfProject(project), name, fromAncestors);
  }

  @Endpoint('POST /projects/:id/labels', { ...MANAGE, params: CreateProjectLabel })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateProjectLabel>) {
    return this.labels.create(actor, placeOfProject(project), params);
  }

  @Endpoint('PUT /projects/:id/labels/promote', { ...PROMOTE, params: PromoteNamedLabel })
  promoteNamed({ actor, subject: project, params }: ProjectCall<typeof PromoteNamedLabel>) {
    return this.promotion.promote(actor, project, params.name);
  }

  @Endpoint('PUT /projects/:id/labels/:name/promote', { ...PROMOTE, params: LabelInPath })
  promote({ actor, subject: project, params }: ProjectCall<typeof LabelInPath>) {
    return this.promotion.promote(actor, project, params.name);
  }

  @Endpoint('PUT /projects/:id/labels', { ...MANAGE, params: UpdateNamedProjectLabel })
  updateNamed({ actor, subject: project, params }: ProjectCall<typeof UpdateNamedProjectLabel>) {
    return this.labels.update(actor, placeOfProject(project), nameOf(params), params);
  }

  @Endpoint('PUT /projects/:id/labels/:name', { ...MANAGE, params: UpdateProjectLabel })
  update({ actor, subject: project, params }: ProjectCall<typeof UpdateProjectLabel>) {
    return this.labels.update(actor, placeOfProject(project), params.name, params);
  }

  @Endpoint('DELETE /projects/:id/labels', { access: 'project:manage_labels', params: DeleteNamedLabel })
  deleteNamed({ subject: project, params, unmodifiedSince }: ProjectCall<typeof DeleteNamedLabel>) {
    return this.labels.delete(placeOfProject(project), nameOf(params), unmodifiedSince);
  }

  @Endpoint('DELETE /projects/:id/labels/:name', { access: 'project:manage_labels', params: LabelInPath })
  delete({ subject: project, params, unmodifiedSince }: ProjectCall<typeof LabelInPath>) {
    return this.labels.delete(placeOfProject(project), params.name, unmodifiedSince);
  }

  @Endpoint('POST /projects/:id/labels/:name/subscribe', { ...READ, params: LabelInPath })
  subscribe({ actor, subject: project, params }: ProjectCall<typeof LabelInPath>) {
    return this.followers.set(actor, placeOfProject(project), params.name, true);
  }

  @Endpoint('POST /projects/:id/labels/:name/unsubscribe', { ...READ, params: LabelInPath })
  unsubscribe({ actor, subject: project, params }: ProjectCall<typeof LabelInPath>) {
    return this.followers.set(actor, placeOfProject(project), params.name, false);
  }
}
