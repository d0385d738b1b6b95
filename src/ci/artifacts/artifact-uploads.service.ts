import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Database } from '#libs/database';
import { badRequest, DomainError, forbidden, invalidParameter } from '#libs/errors';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';
import { parseDuration } from '../configuration/durations';
import { JobHolders } from '../job-tokens/job-holders.service';
import type { Job } from '../jobs/job.entity';
import { JobsRepository } from '../jobs/jobs.repository';
import { ARTIFACT_TYPES, artifactTypeOf } from './artifact-types';
import { JobArtifactsRepository, type NewArtifact } from './job-artifacts.repository';
import { JobFiles } from './job-files';

/** A file that came with a request. */
export interface SentArtifact {
  readonly fileName: string;
  /** Where it lies until the answer is sent. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

export interface ArtifactUpload {
  readonly token: string;
  readonly type: string;
  readonly format: string;
  /** As the configuration says it: "1 week". */
  readonly expireIn?: string | undefined;
}

const LONGEST_NAME = 255;
const MILLISECONDS = 1000;

/** Files that runners send after their jobs. All of it throws as JobHolders does. */
@Injectable()
export class ArtifactUploads {
  private readonly logger = new Logger(ArtifactUploads.name);

  constructor(
    private readonly database: Database,
    private readonly holders: JobHolders,
    private readonly jobs: JobsRepository,
    private readonly artifacts: JobArtifactsRepository,
    private readonly files: JobFiles,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'artifactLimitBytes'>,
  ) {}

  /** Whether a file of this size would be taken. Throws `too_large`. */
  async authorize(jobId: number, token: string, size: number | undefined): Promise<void> {
    await this.requireRunning(jobId, token);
    this.requireSize(size ?? 0);
  }

  /**
   * Keeps a file. The same one again, as its answer got lost, is fine; another one of its kind is refused with 400.
   * Throws `too_large`.
   */
  async take(jobId: number, upload: ArtifactUpload, file: SentArtifact): Promise<void> {
    const { type, format, expiresAt } = checked(upload);
    const job = await this.requireRunning(jobId, upload.token);
    this.requireSize(file.size);
    const sha256 = await digestOf(file.path);
    const place = this.files.newPlace(job);
    await this.files.take(place, file.path);
    const artifact: NewArtifact = {
      jobId: job.id,
      projectId: job.projectId,
      fileType: type,
      fileFormat: format,
      fileName: nameOf(file.fileName, ARTIFACT_TYPES[type].fileName),
      size: file.size,
      sha256,
      place,
      expireAt: expiresAt,
    };
    await this.keep(artifact, upload.token);
  }

  /** A file without a row is removed again; should that fail, its job's removal finds it. */
  private async keep(artifact: NewArtifact, token: string): Promise<void> {
    const isKept = await this.record(artifact, token).catch(async (error: unknown) => {
      await this.discard(artifact);
      throw error;
    });
    if (!isKept) await this.discard(artifact);
  }

  /** False where the same file is there already. */
  private record(artifact: NewArtifact, token: string): Promise<boolean> {
    return this.database.transaction(async () => {
      const job = await this.requireRunning(artifact.jobId, token, 'held');
      const known = await this.artifacts.find(job.id, artifact.fileType);
      if (known && known.sha256 !== artifact.sha256)
        throw badRequest('another artifact of the same type already exists');
      if (known) return false;
      await this.artifacts.insert(artifact);
      if (artifact.fileType === 'archive') {
        job.artifactsExpireAt = artifact.expireAt;
        await this.jobs.save([job]);
      }
      return true;
    });
  }

  private async discard({ place }: NewArtifact): Promise<void> {
    await this.files.remove(place).catch((error: unknown) => {
      this.logger.warn({ err: error, place }, 'a refused artifact could not be removed');
    });
  }

  private async requireRunning(jobId: number, token: string, hold: 'held' | 'free' = 'free'): Promise<Job> {
    const job = await this.holders.require(jobId, token, hold);
    if (!job.isRunning) throw forbidden('Job is not running');
    return job;
  }

  private requireSize(size: number): void {
    if (size > this.settings.artifactLimitBytes) throw new DomainError({ kind: 'too_large' });
  }
}

function checked({ type: kind, format, expireIn }: ArtifactUpload) {
  const type = artifactTypeOf(kind);
  if (!type) throw invalidParameter('artifact_type does not have a valid value');
  const { format: right } = ARTIFACT_TYPES[type];
  if (format !== right) throw invalidParameter('artifact_format does not have a valid value');
  const seconds = expireIn === undefined ? null : parseDuration(expireIn);
  const expiresAt = seconds === null ? null : new Date(Date.now() + seconds * MILLISECONDS);
  return { type, format: right, expiresAt };
}

/** For records and headers; never part of a path. */
const nameOf = (given: string, otherwise: string): string => {
  const printable = (given.split(/[/\\]/).at(-1) ?? '').replaceAll(/\p{Cc}/gu, '');
  // By code points: half of one cannot be written down.
  return Array.from(printable || otherwise)
    .slice(-LONGEST_NAME)
    .join('');
};

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
}
