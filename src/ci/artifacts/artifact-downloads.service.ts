import type { Readable } from 'node:stream';
import { badRequest, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { JobHolders } from '../job-tokens/job-holders.service';
import { JobsRepository } from '../jobs/jobs.repository';
import { isArchivePath, openArchivedFile } from './archived-file';
import type { JobArtifact } from './job-artifact.entity';
import { JobArtifactsRepository } from './job-artifacts.repository';
import { JobFiles } from './job-files';

/** A file on its way out. */
export interface OpenedFile {
  readonly name: string;
  readonly bytes: Readable;
  readonly size: number;
}

/** Which archive of a project is meant. */
export type ArchiveReference =
  { readonly jobId: number } | { readonly ref: string; readonly jobName: string };

/** Archives of jobs, and single files out of them. All of it throws "404 Not found" for what is not there. */
@Injectable()
export class ArtifactDownloads {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly artifacts: JobArtifactsRepository,
    private readonly files: JobFiles,
    private readonly holders: JobHolders,
  ) {}

  async archive(project: Project, reference: ArchiveReference): Promise<OpenedFile> {
    return this.open(await this.require(project, reference));
  }

  /** Throws 400 for a path that leads out of the archive. */
  async file(project: Project, reference: ArchiveReference, path: string): Promise<OpenedFile> {
    if (!isArchivePath(path)) throw badRequest('400 Bad request');
    const { place } = await this.require(project, reference);
    const archive = await this.files.open(place);
    const found = archive && (await openArchivedFile(archive, path));
    if (!found) throw notFound();
    return { name: path.split('/').at(-1) ?? path, ...found };
  }

  /** For a runner that shows the token of a job of the same pipeline. Throws as JobHolders does. */
  async forRunner(jobId: number, token: string): Promise<OpenedFile> {
    const job = await this.holders.requireReader(jobId, token);
    return this.open(this.usable(await this.artifacts.find(job.id, 'archive')));
  }

  private async require(project: Project, reference: ArchiveReference): Promise<JobArtifact> {
    if ('ref' in reference)
      return this.usable(await this.artifacts.latestArchive(project.id, reference.ref, reference.jobName));
    const job = await this.jobs.findIn(project.id, reference.jobId);
    return this.usable(job && (await this.artifacts.find(job.id, 'archive')));
  }

  private usable(artifact: JobArtifact | null): JobArtifact {
    if (!artifact || artifact.isExpired(new Date())) throw notFound();
    return artifact;
  }

  private async open({ place, fileName, size }: JobArtifact): Promise<OpenedFile> {
    const file = await this.files.open(place);
    if (!file) throw notFound();
    return { name: fileName, bytes: file.createReadStream(), size };
  }
}
