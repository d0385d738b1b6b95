import { Endpoint, RawAnswer, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DownloadSnapshot } from './snapshot.params';
import { Snapshots } from './snapshots.service';

const ADMIN = { loginFirst: true, accessFirst: 'project:reader', access: 'admin' } as const;

const HEADERS = {
  'Content-Type': 'application/x-tar',
  'Content-Disposition': 'attachment; filename="snapshot.tar"',
  'Content-Transfer-Encoding': 'binary',
};

/** Specification, Projects: snapshot. The HEAD row stands before the GET row, which would begin to pack. */
@Controller()
export class SnapshotsController {
  constructor(private readonly snapshots: Snapshots) {}

  @Endpoint('HEAD /projects/:id/snapshot', { ...ADMIN, params: DownloadSnapshot })
  headSnapshot(_call: ProjectCall<typeof DownloadSnapshot>) {
    return new RawAnswer(null, HEADERS);
  }

  @Endpoint('GET /projects/:id/snapshot', { ...ADMIN, params: DownloadSnapshot })
  async snapshot({ subject: project, params, signal }: ProjectCall<typeof DownloadSnapshot>) {
    return new RawAnswer(await this.snapshots.take(project, params, signal), HEADERS);
  }
}
