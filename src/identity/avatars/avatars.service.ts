import { readFile } from 'node:fs/promises';
import { Database } from '#libs/database';
import { invalid, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { MAX_AVATAR_BYTES, type Avatar, type AvatarOwner } from './avatar';
import { avatarFileName, imageTypeOf } from './avatar-images';
import { AvatarsRepository } from './avatars.repository';

/** A file that a request brought along. */
export interface SentPicture {
  readonly fileName: string;
  /** Where it lies until the answer is sent. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

export type CheckedPicture = Omit<Avatar, 'updatedAt'>;

/** Pictures of users, groups and projects. They are small, so they live in the database, where every node has them. */
@Injectable()
export class Avatars {
  constructor(
    private readonly database: Database,
    private readonly avatars: AvatarsRepository,
  ) {}

  /** Throws `validation` for what is too large or, by its bytes, no picture that browsers draw. */
  async check({ fileName, path, size }: SentPicture): Promise<CheckedPicture> {
    if (size > MAX_AVATAR_BYTES) throw invalid({ avatar: ['is too big (should be at most 200 KB)'] });
    const content = await readFile(path);
    const contentType = await imageTypeOf(content);
    if (contentType === null) {
      throw invalid({ avatar: ['is not an image: allowed are png, jpg, jpeg, gif, bmp, tiff, ico, webp'] });
    }
    return { content, contentType, fileName: avatarFileName(fileName, contentType) };
  }

  /** Keeps a picture in place of the one before it. */
  keep(owner: AvatarOwner, picture: CheckedPicture): Promise<void> {
    return this.database.transaction(() => this.avatars.keep(owner, picture));
  }

  /** By its owner, whom the caller may see, and its present name. Throws "404 Not found". */
  async show(owner: AvatarOwner, fileName: string): Promise<Avatar> {
    const found = await this.avatars.find(owner);
    if (found?.fileName !== fileName) throw notFound();
    return found;
  }
}
