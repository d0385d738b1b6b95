import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { MirrorPulls } from './mirror-pulls.service';
import { PullMirror } from './mirror.params';

/** Specification, Projects: pull mirroring. */
@Controller()
export class MirrorsController {
  constructor(private readonly pulls: MirrorPulls) {}

  @Endpoint('POST /projects/:id/mirror/pull', {
    access: 'project:maintainer',
    feature: 'pull_mirrors',
    params: PullMirror,
    status: 200,
  })
  pull({ subject: project }: ProjectCall<typeof PullMirror>) {
    return this.pulls.start(project);
  }
}
