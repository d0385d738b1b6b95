import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import {
  linkedUploads,
  uploadUrl,
  Uploads,
  withLinks,
  type LinkedUpload,
  type Project,
  type Upload,
} from '../../repository/repository.api';
import { withPlaces } from './moved-text';

/** So many links a move looks at, and so many bytes it copies, but for the last file; further links stay as they are. */
const MOST_LINKS = 500;
const MOST_BYTES = 1024 ** 3;

/** A text links to a file that was not there when the files were copied: somebody has written meanwhile. */
export class LinkedMeanwhile extends Error {}

/** What the words of one issue need to mean the same in another project. */
export interface MovedWords {
  /** Copies the files that a text links to; outside of the transaction of the move, which is not to wait for disks. */
  takeFiles(text: string): Promise<void>;
  /** Throws LinkedMeanwhile for a file that nobody has looked for. */
  rewrite(text: string): string;
  /** Takes back what was copied, when the move comes to nothing. */
  undo(): Promise<void>;
}

/** Takes texts from one project to another, with the files they link to. */
@Injectable()
export class MovingWords {
  constructor(
    private readonly uploads: Uploads,
    private readonly urls: Urls,
  ) {}

  between(from: Project, to: Project): MovedWords {
    const copies = new Map<string, Upload>();
    /** Null where there is no such file. */
    const links = new Map<string, string | null>();
    const place = { path: from.fullPath, base: this.urls.base };
    const isNew = ({ link }: LinkedUpload): boolean => !links.has(link) && links.size < MOST_LINKS;
    return {
      takeFiles: async (text) => {
        for (const linked of linkedUploads(text).filter(isNew)) {
          if (links.size >= MOST_LINKS) return;
          const copy = await this.copyOnce(copies, linked, from, to);
          links.set(linked.link, copy && uploadUrl(copy.secret, encodeURI(copy.fileName)));
        }
      },
      rewrite: (text) => {
        if (linkedUploads(text).some(isNew)) throw new LinkedMeanwhile();
        return withLinks(withPlaces(text, place), links);
      },
      undo: () => this.uploads.discardAll([...copies.values()]),
    };
  }

  /** The same file is copied once, however its links are written. */
  private async copyOnce(
    copies: Map<string, Upload>,
    { secret, fileName }: LinkedUpload,
    from: Project,
    to: Project,
  ): Promise<Upload | null> {
    const known = copies.get(secret);
    if (known) return known.fileName === fileName ? known : null;
    const bytes = [...copies.values()].reduce((sum, { size }) => sum + size, 0);
    const copy = bytes < MOST_BYTES ? await this.uploads.copy(from, { secret, fileName }, to) : null;
    if (copy) copies.set(secret, copy);
    return copy;
  }
}
