import { forbidden, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { bringsArtifacts } from './artifact-request';
import { ArtifactUploads } from './artifact-uploads.service';

/** What may stand around a file in its request: boundaries, headers, fields. In bytes. */
const MOST_AROUND = 1024 * 1024;

/**
 * Asks who brings what a job has left behind before a byte of it is read: strangers could fill the disk with it. The
 * token has to be in the header or the query, where runners show it.
 */
@Injectable()
export class ArtifactGate {
  constructor(private readonly uploads: ArtifactUploads) {}

  use(request: Request, _response: Response, next: NextFunction): void {
    if (!bringsArtifacts(request)) {
      next();
      return;
    }
    this.admit(request).then(() => next(), next);
  }

  private async admit({ path, url, headers }: Request): Promise<void> {
    const jobId = Number(/\/jobs\/(\d+)\//i.exec(path)?.[1]);
    if (!Number.isSafeInteger(jobId)) throw notFound();
    const query = url.slice(path.length + 1);
    const token = new URLSearchParams(query).get('token') || headers['job-token'];
    if (typeof token !== 'string' || token === '') throw forbidden();
    const length = Number(headers['content-length'] ?? 0);
    await this.uploads.authorize(jobId, token, length - MOST_AROUND);
  }
}
