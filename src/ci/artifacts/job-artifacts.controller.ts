import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentJob } from '../jobs/job.presenter';
import { JobArtifactActions } from './job-artifact-actions.service';
import { download, downloadByName } from './artifact-answers';
import { ArtifactDownloads } from './artifact-downloads.service';
import { JobArtifactPath, JobArtifactsPath, RefArtifactPath, RefArtifacts } from './artifact.params';

const READ = { access: 'project:read_artifacts', jobToken: true } as const;

/** What jobs have left behind. Rows that name a ref stand before those that name a job, which would answer them too. */
@Controller()
export class JobArtifactsController {
  constructor(
    private readonly downloads: ArtifactDownloads,
    private readonly actions: JobArtifactActions,
  ) {}

  @Endpoint('GET /projects/:id/jobs/artifacts/:ref_name/download', { ...READ, params: RefArtifacts })
  async ofRef({ subject: project, params }: ProjectCall<typeof RefArtifacts>) {
    const { ref_name: ref, job: jobName } = params;
    return download(await this.downloads.archive(project, { ref, jobName }));
  }

  @Endpoint('GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path', {
    ...READ,
    params: RefArtifactPath,
  })
  async fileOfRef({ subject: project, params }: ProjectCall<typeof RefArtifactPath>) {
    const { ref_name: ref, job: jobName, artifact_path: path } = params;
    return downloadByName(await this.downloads.file(project, { ref, jobName }, path.join('/')));
  }

  @Endpoint('GET /projects/:id/jobs/:job_id/artifacts', { ...READ, params: JobArtifactsPath })
  async ofJob({ subject: project, params }: ProjectCall<typeof JobArtifactsPath>) {
    return download(await this.downloads.archive(project, { jobId: params.job_id }));
  }

  @Endpoint('GET /projects/:id/jobs/:job_id/artifacts/*artifact_path', { ...READ, params: JobArtifactPath })
  async fileOfJob({ subject: project, params }: ProjectCall<typeof JobArtifactPath>) {
    const { job_id: jobId, artifact_path: path } = params;
    return downloadByName(await this.downloads.file(project, { jobId }, path.join('/')));
  }

  @Endpoint('POST /projects/:id/jobs/:job_id/artifacts/keep', {
    access: 'project:run_pipelines',
    params: JobArtifactsPath,
    presents: presentJob,
    status: 200,
  })
  keep({ actor, subject: project, params }: ProjectCall<typeof JobArtifactsPath>) {
    return this.actions.keep(actor, project, params.job_id);
  }

  @Endpoint('DELETE /projects/:id/jobs/:job_id/artifacts', {
    access: 'project:delete_artifacts',
    params: JobArtifactsPath,
  })
  remove({ subject: project, params }: ProjectCall<typeof JobArtifactsPath>) {
    return this.actions.remove(project, params.job_id);
  }
}
