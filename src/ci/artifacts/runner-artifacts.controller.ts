import { Endpoint, RawAnswer, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { shownToken } from '../runners/shown-token';
import { download } from './artifact-answers';
import { ArtifactDownloads } from './artifact-downloads.service';
import { ArtifactUploads } from './artifact-uploads.service';
import { AuthorizeArtifacts, DownloadArtifacts, UploadArtifacts } from './artifact.params';

/** Nobody is signed in: what runners show is the token of their job. */
const RUNNER = { access: 'anyone', loginFirst: false, ownCredential: true } as const;
const JSON_TYPE = { 'Content-Type': 'application/json' } as const;

/** How runners send and fetch what jobs leave behind, as the reference's own runner speaks. */
@Controller()
export class RunnerArtifactsController {
  constructor(
    private readonly uploads: ArtifactUploads,
    private readonly downloads: ArtifactDownloads,
  ) {}

  @Endpoint('POST /jobs/:job_id/artifacts/authorize', { ...RUNNER, params: AuthorizeArtifacts, status: 200 })
  async authorize(call: CallOf<typeof AuthorizeArtifacts>) {
    await this.uploads.authorize(call.params.job_id, shownToken(call), call.params.filesize);
    return new RawAnswer(Buffer.from('{}'), JSON_TYPE);
  }

  @Endpoint('POST /jobs/:job_id/artifacts', { ...RUNNER, params: UploadArtifacts })
  async upload(call: CallOf<typeof UploadArtifacts>) {
    const {
      job_id: id,
      file,
      artifact_type: type,
      artifact_format: format,
      expire_in: expireIn,
    } = call.params;
    await this.uploads.take(id, { token: shownToken(call), type, format, expireIn }, file);
    return new RawAnswer(Buffer.from('{"message":"201 Created"}'), JSON_TYPE);
  }

  @Endpoint('GET /jobs/:job_id/artifacts', { ...RUNNER, params: DownloadArtifacts })
  async download(call: CallOf<typeof DownloadArtifacts>) {
    return download(await this.downloads.forRunner(call.params.job_id, shownToken(call)));
  }
}
