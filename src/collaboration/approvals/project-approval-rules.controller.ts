import { Endpoint, params, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ChangeProjectRule, CreateProjectRule, ProjectRulePath } from './approval-rule.params';
import { presentProjectRule } from './approval-rule.presenter';
import { ProjectApprovalRules } from './project-approval-rules.service';

const APPROVALS = { feature: 'merge_request_approvers', loginFirst: true } as const;
const WRITE = { ...APPROVALS, access: 'project:maintainer' } as const;
const InProject = params({});

/** Who is to approve the merge requests of a project. */
@Controller()
export class ProjectApprovalRulesController {
  constructor(private readonly rules: ProjectApprovalRules) {}

  @Endpoint('GET /projects/:id/approval_rules', {
    ...APPROVALS,
    access: 'project:read_merge_requests',
    params: InProject,
    presents: presentProjectRule,
  })
  list({ actor, subject: project }: ProjectCall<typeof InProject>) {
    return this.rules.list(actor, project);
  }

  @Endpoint('POST /projects/:id/approval_rules', {
    ...WRITE,
    params: CreateProjectRule,
    presents: presentProjectRule,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateProjectRule>) {
    return this.rules.create(actor, project, params);
  }

  @Endpoint('PUT /projects/:id/approval_rules/:approval_rule_id', {
    ...WRITE,
    params: ChangeProjectRule,
    presents: presentProjectRule,
  })
  update({ actor, subject: project, params }: ProjectCall<typeof ChangeProjectRule>) {
    return this.rules.update(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/approval_rules/:approval_rule_id', { ...WRITE, params: ProjectRulePath })
  remove({ subject: project, params }: ProjectCall<typeof ProjectRulePath>) {
    return this.rules.remove(project, params.approval_rule_id);
  }
}
