import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateUpload } from './upload.params';
import { presentUpload } from './upload.presenter';
import { Uploads } from './uploads.service';

@Controller()
export class UploadsController {
  constructor(private readonly uploads: Uploads) {}

  @Endpoint('POST /projects/:id/uploads', {
    access: 'project:upload_files',
    params: CreateUpload,
    presents: presentUpload,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateUpload>) {
    return this.uploads.create(actor, project, params.file);
  }
}
