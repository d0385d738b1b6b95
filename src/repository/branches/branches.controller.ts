import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentAccepted } from '../../identity/identity.api';
import { BranchPath, CreateBranch, DeleteMergedBranches, ListBranches, ProtectBranch } from './branch.params';
import { presentBranch } from './branch.presenter';
import { BranchesService } from './branches.service';

const FILTER = { accessFirst: 'project:download_code' } as const;
const READ = { ...FILTER, access: 'project:download_code' } as const;
const WRITE = { ...FILTER, access: 'project:push_code', loginFirst: false } as const;
const RULE = { ...FILTER, access: 'project:maintainer', loginFirst: false } as const;

/** Branches; the specification only refers to them, the reference system has their form. */
@Controller()
export class BranchesController {
  constructor(private readonly branches: BranchesService) {}

  @Endpoint('GET /projects/:id/repository/branches', {
    ...READ,
    params: ListBranches,
    presents: presentBranch,
    paginated: true,
  })
  list({ actor, subject: project, params, page, signal }: ProjectCall<typeof ListBranches>) {
    return this.branches.list(actor, project, params, page, signal);
  }

  @Endpoint('GET /projects/:id/repository/branches/:branch', {
    ...READ,
    params: BranchPath,
    presents: presentBranch,
  })
  get({ actor, subject: project, params }: ProjectCall<typeof BranchPath>) {
    return this.branches.find(actor, project, params);
  }

  @Endpoint('POST /projects/:id/repository/branches', {
    ...WRITE,
    params: CreateBranch,
    presents: presentBranch,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateBranch>) {
    return this.branches.create(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/repository/branches/:branch', { ...WRITE, params: BranchPath })
  remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof BranchPath>) {
    return this.branches.remove(actor, project, params, unmodifiedSince);
  }

  @Endpoint('DELETE /projects/:id/repository/merged_branches', {
    ...WRITE,
    params: DeleteMergedBranches,
    presents: presentAccepted,
    status: 202,
  })
  removeMerged({ actor, subject: project }: ProjectCall<typeof DeleteMergedBranches>) {
    return this.branches.removeMerged(actor, project);
  }

  @Endpoint('PUT /projects/:id/repository/branches/:branch/protect', {
    ...RULE,
    params: ProtectBranch,
    presents: presentBranch,
  })
  protect({ actor, subject: project, params }: ProjectCall<typeof ProtectBranch>) {
    return this.branches.protect(actor, project, params);
  }

  @Endpoint('PUT /projects/:id/repository/branches/:branch/unprotect', {
    ...RULE,
    params: BranchPath,
    presents: presentBranch,
  })
  unprotect({ actor, subject: project, params }: ProjectCall<typeof BranchPath>) {
    return this.branches.unprotect(actor, project, params);
  }
}
