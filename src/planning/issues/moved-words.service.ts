import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { uploadUrl, Uploads, type Project, type Upload } from '../../repository/repository.api';
import { linkedUploads, withLinks, withPlaces } from './moved-text';

/** So many files a move takes along; links to further ones stay as they are. */
const MOST_FILES = 500;

/** What the words of one issue need to mean the same in another project. */
export interface MovedWords {
  rewrite(text: string): Promise<string>;
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
    const copies: Upload[] = [];
    const links = new Map<string, string>();
    const place = { path: from.fullPath, base: this.urls.base };
    return {
      rewrite: async (text) => {
        for (const upload of linkedUploads(text)) {
          if (links.has(upload.link) || copies.length >= MOST_FILES) continue;
          const copy = await this.uploads.copy(from, upload, to);
          if (!copy) continue;
          copies.push(copy);
          links.set(upload.link, uploadUrl(copy.secret, encodeURI(copy.fileName)));
        }
        return withLinks(withPlaces(text, place), links);
      },
      undo: () => this.uploads.discardAll(copies),
    };
  }
}
