import { PROJECT_POLICY } from '#libs/access';
import { DomainError, notFound } from '#libs/errors';
import { Readers } from '#libs/http';
import { Controller, Get, Logger, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { UploadStorage } from './upload-storage';
import { uploadHeaders } from './upload.presenter';
import type { Upload } from './upload.entity';
import { Uploads } from './uploads.service';

const SECRET = /^[0-9a-f]{32}$/;

interface AskedFile {
  /** Its segments, decoded. */
  readonly fullPath: readonly string[];
  readonly secret: string;
  readonly fileName: string;
}

/**
 * What was uploaded, for those who may see the project, pictures as well as all else. The address stands in the
 * project's texts, relative to its page. Not part of the API, hence no @Endpoint.
 */
@Controller()
export class UploadedFilesController {
  private readonly logger = new Logger(UploadedFilesController.name);

  constructor(
    private readonly readers: Readers,
    private readonly uploads: Uploads,
    private readonly storage: UploadStorage,
  ) {}

  @Get('*fullPath/uploads/:secret/:fileName')
  async show(@Param() asked: AskedFile, @Req() request: Request, @Res() response: Response): Promise<void> {
    if (!SECRET.test(asked.secret)) throw notFound();
    const id = asked.fullPath.join('/');
    const { actor, resolution } = await this.readers.identify(request, response, { kind: 'project', id });
    const { project } = resolution;
    if (!project || !PROJECT_POLICY.reader(actor, project)) throw notFound();
    const upload = await this.uploads.find(project, asked.secret, asked.fileName);
    response.set(uploadHeaders(upload));
    await this.send(upload, response);
  }

  /** With ranges, conditions and HEAD. */
  private async send(upload: Upload, response: Response): Promise<void> {
    const options = { root: this.storage.root, dotfiles: 'allow', cacheControl: false } as const;
    const error = await new Promise<Error | undefined>((resolve) => {
      response.sendFile(this.storage.pathOf(upload), options, resolve);
    });
    // Where the client has gone away there is nobody to tell of it.
    if (!error || response.destroyed) return;
    const status = statusOf(error);
    for (const name of Object.keys(uploadHeaders(upload))) response.removeHeader(name);
    if (status === 416) response.status(416).end();
    else if (status === 412) throw new DomainError({ kind: 'precondition_failed' });
    else {
      this.logger.error({ err: error, upload: upload.id }, 'an uploaded file cannot be read');
      throw status === 404 ? notFound() : error;
    }
  }
}

const statusOf = (error: Error): number =>
  'status' in error && typeof error.status === 'number' ? error.status : 500;
