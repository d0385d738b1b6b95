import { randomBytes } from 'node:crypto';
import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { notFound } from '#libs/errors';
import { Injectable, Logger } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { linkedUploads } from './linked-uploads';
import { contentTypeOf } from './upload-content';
import { uploadName } from './upload-name';
import { UploadStorage } from './upload-storage';
import type { Upload } from './upload.entity';
import { UploadsRepository } from './uploads.repository';

/** A file that a request brought along. */
export interface SentFile {
  readonly fileName: string;
  /** Where it lies until the answer is sent. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

const SECRET_BYTES = 16;
/** Further links of one text are not looked at. */
const MOST_LINKS = 100;

/** Files of projects. */
@Injectable()
export class Uploads {
  private readonly logger = new Logger(Uploads.name);

  constructor(
    private readonly database: Database,
    private readonly uploads: UploadsRepository,
    private readonly storage: UploadStorage,
  ) {}

  /** Keeps a file under a secret of its own, the same file again too. */
  async create(actor: Actor, { id: projectId }: Pick<Project, 'id'>, sent: SentFile): Promise<Upload> {
    const upload = await this.uploads.insert({
      projectId,
      authorId: signedIn(actor).id,
      secret: randomBytes(SECRET_BYTES).toString('hex'),
      fileName: uploadName(sent.fileName),
      contentType: await contentTypeOf(sent.path),
      size: sent.size,
    });
    if (!upload) throw notFound('Project');
    try {
      await this.store(upload, () => this.storage.take(upload, sent.path));
    } catch (error) {
      await this.discard(upload);
      throw error;
    }
    return upload;
  }

  /**
   * The same file as one of another project, under a secret of its own. Null where there is no such file: both names
   * must be the file's.
   */
  async copy(
    from: Pick<Project, 'id'>,
    { secret, fileName }: Pick<Upload, 'secret' | 'fileName'>,
    to: Pick<Project, 'id'>,
  ): Promise<Upload | null> {
    const source = await this.uploads.findStored(from.id, secret);
    if (source?.fileName !== fileName) return null;
    const { authorId, contentType, size } = source;
    const copy = await this.uploads.insert({
      projectId: to.id,
      authorId,
      secret: randomBytes(SECRET_BYTES).toString('hex'),
      fileName,
      contentType,
      size,
    });
    if (!copy) throw notFound('Project');
    try {
      await this.store(copy, () => this.storage.share(copy, source));
    } catch (error) {
      await this.discard(copy);
      throw error;
    }
    return copy;
  }

  /** Takes copies back that were made for nothing. */
  async discardAll(uploads: readonly Upload[]): Promise<void> {
    for (const upload of uploads) await this.discard(upload);
  }

  /** Throws "404 Not found"; the name must be the file's, too. */
  async find(project: Pick<Project, 'id'>, secret: string, fileName: string): Promise<Upload> {
    const upload = await this.uploads.findStored(project.id, secret);
    if (upload?.fileName !== fileName) throw notFound();
    return upload;
  }

  /** The first file of the project that a text links to; null where it links to none. One query at most. */
  async firstLinked(project: Pick<Project, 'id'>, text: string): Promise<Upload | null> {
    const links = linkedUploads(text).slice(0, MOST_LINKS);
    if (links.length === 0) return null;
    const secrets = links.map(({ secret }) => secret);
    const files = new Map(
      (await this.uploads.storedAmong(project.id, secrets)).map((file) => [file.secret, file]),
    );
    const first = links.find(({ secret, fileName }) => files.get(secret)?.fileName === fileName);
    return first ? (files.get(first.secret) ?? null) : null;
  }

  private async store(upload: Upload, bring: () => Promise<void>): Promise<void> {
    await bring();
    await this.database.transaction(async () => {
      if (!(await this.uploads.markStored(upload.id))) throw notFound('Project');
      await this.storage.settle(upload);
    });
  }

  /** What cannot be taken back now is found by AbandonedUploads. */
  private async discard(upload: Upload): Promise<void> {
    try {
      await this.uploads.unmarkStored(upload.id);
      await this.storage.remove(upload);
      await this.uploads.forget(upload.id);
    } catch (error) {
      this.logger.warn({ err: error, upload: upload.id }, 'a failed upload could not be taken back');
    }
  }
}
