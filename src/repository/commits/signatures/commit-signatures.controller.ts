import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CommitPath } from '../commit.params';
import { presentSignature } from './commit-signature.presenter';
import { CommitSignatures } from './commit-signatures.service';

@Controller()
export class CommitSignaturesController {
  constructor(private readonly signatures: CommitSignatures) {}

  @Endpoint('GET /projects/:id/repository/commits/:sha/signature', {
    access: 'project:download_code',
    accessFirst: 'project:download_code',
    params: CommitPath,
    presents: presentSignature,
  })
  get({ subject: project, params }: ProjectCall<typeof CommitPath>) {
    return this.signatures.find(project, params);
  }
}
