import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateShare, SharePath } from './share.params';
import { presentShare } from './share.presenter';
import { Shares } from './shares.service';

@Controller()
export class SharesController {
  constructor(private readonly shares: Shares) {}

  @Endpoint('POST /projects/:id/share', {
    access: 'project:maintainer',
    params: CreateShare,
    presents: presentShare,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateShare>) {
    return this.shares.create(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/share/:group_id', { access: 'project:maintainer', params: SharePath })
  delete({ subject: project, params, unmodifiedSince }: ProjectCall<typeof SharePath>) {
    return this.shares.delete(project, params.group_id, unmodifiedSince);
  }
}
