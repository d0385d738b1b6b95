import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ProjectChanges } from './project-changes.service';
import { ArchiveProject, TransferProject } from './project-lifecycle.params';
import { ProjectTransfer } from './project-transfer.service';
import { presentProject } from './project.presenter';

const OWNER = { access: 'project:owner', presents: presentProject } as const;

/** Specification, Projects: transfer; archiving as the reference has it. */
@Controller()
export class ProjectLifecycleController {
  constructor(
    private readonly transfers: ProjectTransfer,
    private readonly changes: ProjectChanges,
  ) {}

  @Endpoint('PUT /projects/:id/transfer', { ...OWNER, params: TransferProject })
  transfer({ actor, subject: project, params }: ProjectCall<typeof TransferProject>) {
    return this.transfers.transferOwn(actor, project, params.namespace);
  }

  @Endpoint('POST /projects/:id/archive', { ...OWNER, params: ArchiveProject })
  archive({ actor, subject: project }: ProjectCall<typeof ArchiveProject>) {
    return this.changes.archive(actor, project, true);
  }

  @Endpoint('POST /projects/:id/unarchive', { ...OWNER, params: ArchiveProject })
  unarchive({ actor, subject: project }: ProjectCall<typeof ArchiveProject>) {
    return this.changes.archive(actor, project, false);
  }
}
