import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateProtectedBranch, InProject, ProtectedBranchPath } from './protected-branch.params';
import { presentNewProtectedBranch, presentProtectedBranch } from './protected-branch.presenter';
import { ProtectedBranches } from './protected-branches.service';

/** The reference has no login filter here: what is hidden is missing, for anonymous callers too. */
const MAINTAINER = {
  access: 'project:maintainer',
  accessFirst: 'project:maintainer',
  loginFirst: false,
} as const;

/** Specification, Protected branches. */
@Controller()
export class ProtectedBranchesController {
  constructor(private readonly branches: ProtectedBranches) {}

  @Endpoint('GET /projects/:id/protected_branches', {
    ...MAINTAINER,
    params: InProject,
    paginated: true,
    presents: presentProtectedBranch,
  })
  list({ subject: project, page }: ProjectCall<typeof InProject>) {
    return this.branches.list(project, page);
  }

  @Endpoint('GET /projects/:id/protected_branches/:name', {
    ...MAINTAINER,
    params: ProtectedBranchPath,
    presents: presentProtectedBranch,
  })
  show({ subject: project, params }: ProjectCall<typeof ProtectedBranchPath>) {
    return this.branches.show(project, params.name);
  }

  @Endpoint('POST /projects/:id/protected_branches', {
    ...MAINTAINER,
    params: CreateProtectedBranch,
    presents: presentNewProtectedBranch,
  })
  create({ subject: project, params }: ProjectCall<typeof CreateProtectedBranch>) {
    return this.branches.create(project, params);
  }

  @Endpoint('DELETE /projects/:id/protected_branches/:name', { ...MAINTAINER, params: ProtectedBranchPath })
  remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof ProtectedBranchPath>) {
    return this.branches.remove(actor, project, params.name, unmodifiedSince);
  }
}
