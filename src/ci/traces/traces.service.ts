import type { Readable } from 'node:stream';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { RunnersTokens } from '../../identity/identity.api';
import { JobFiles } from '../artifacts/job-files';
import { JobHolders } from '../job-tokens/job-holders.service';
import type { Job } from '../jobs/job.entity';
import { JobsRepository } from '../jobs/jobs.repository';
import type { CiStatus } from '../pipelines/status';
import { masked } from './masked';

/** What became of a piece of a log. */
export type Appended =
  | { readonly kind: 'taken'; readonly size: number; readonly status: CiStatus }
  /** The piece does not begin where the log ends. */
  | { readonly kind: 'gap'; readonly size: number }
  | { readonly kind: 'not_running'; readonly status: CiStatus }
  | { readonly kind: 'full' };

export interface TracePiece {
  readonly token: string;
  /** Where in the log it begins. */
  readonly start: number;
  readonly bytes: Buffer;
}

/** Of a whole log. */
const MOST_BYTES = 100 * 1024 * 1024;
/** So much of the end of a log is looked through for a figure. */
const TAIL_BYTES = 64 * 1024;

/** Logs of jobs, which runners send in pieces while they write them. */
@Injectable()
export class Traces {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobsRepository,
    private readonly holders: JobHolders,
    private readonly files: JobFiles,
    private readonly runnersTokens: RunnersTokens,
  ) {}

  /** A piece that was taken already, as its answer got lost, is taken again. Throws as JobHolders. */
  append(jobId: number, { token, start, bytes }: TracePiece): Promise<Appended> {
    return this.database.transaction(async () => {
      const job = await this.holders.require(jobId, token, 'held');
      const { status, traceBytes } = job;
      const end = start + bytes.length;
      if (!job.isRunning) return { kind: 'not_running', status };
      if (traceBytes === end) {
        await this.jobs.noteContact(job.id);
        return { kind: 'taken', size: end, status };
      }
      if (traceBytes !== start) return { kind: 'gap', size: traceBytes };
      if (end > MOST_BYTES) return { kind: 'full' };
      await this.files.write(this.files.traceOf(job), this.withoutSecrets(job, token, bytes), start);
      await this.jobs.noteTrace(job.id, end);
      return { kind: 'taken', size: end, status };
    });
  }

  /** The whole log at once, as older runners send it at the end. Nothing where the job has stopped running. */
  replace(jobId: number, token: string, text: string): Promise<void> {
    const bytes = Buffer.from(text).subarray(0, MOST_BYTES);
    return this.database.transaction(async () => {
      const job = await this.holders.require(jobId, token, 'held');
      if (!job.isRunning) return;
      await this.files.write(this.files.traceOf(job), this.withoutSecrets(job, token, bytes), 0);
      await this.jobs.noteTrace(job.id, bytes.length);
    });
  }

  /** Null where there is nothing to read. After a crash in `replace` a file may be shorter than its row says. */
  async read(job: Job): Promise<{ readonly bytes: Readable; readonly size: number } | null> {
    if (job.traceBytes === 0) return null;
    const file = await this.files.open(this.files.traceOf(job));
    if (!file) return null;
    const size = Math.min(job.traceBytes, (await file.stat()).size);
    if (size > 0) return { bytes: file.createReadStream({ start: 0, end: size - 1 }), size };
    await file.close();
    return null;
  }

  /** The end of it. */
  async tail(job: Job): Promise<string> {
    const file = await this.files.open(this.files.traceOf(job));
    if (!file) return '';
    try {
      const start = Math.max(0, job.traceBytes - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(job.traceBytes - start),
        0,
        job.traceBytes - start,
        start,
      );
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  }

  private withoutSecrets(job: Job, token: string, bytes: Buffer): Buffer {
    return masked(bytes, [token, this.runnersTokens.for('project', job.projectId)]);
  }
}
