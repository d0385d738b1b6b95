import { base64Json, Endpoint, RawAnswer, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentCommit } from '../commits/commit.presenter';
import { archiveHeaders } from './archive';
import { blobFields, presentBlob, rawBlobHeaders } from './blob.presenter';
import {
  BlobPath,
  Compare,
  DownloadArchive,
  DownloadArchiveAs,
  FindMergeBase,
  ListContributors,
  ListTree,
} from './browsing.params';
import { BrowsingService } from './browsing.service';
import { presentComparison } from './comparison.presenter';
import { presentContributor } from './contributor.presenter';
import { presentTreeEntry } from './tree-entry.presenter';

const READ = { access: 'project:download_code', accessFirst: 'project:download_code' } as const;

/** What is in a repository. HEAD rows of streamed answers stand before GET rows, which would begin to stream. */
@Controller()
export class BrowsingController {
  constructor(private readonly browsing: BrowsingService) {}

  @Endpoint('GET /projects/:id/repository/tree', {
    ...READ,
    params: ListTree,
    presents: presentTreeEntry,
    paginated: true,
  })
  tree({ subject: project, params, page, signal }: ProjectCall<typeof ListTree>) {
    return this.browsing.tree(project, params, page, signal);
  }

  @Endpoint('GET /projects/:id/repository/blobs/:sha', { ...READ, params: BlobPath, presents: presentBlob })
  async blob({ subject: project, params, signal }: ProjectCall<typeof BlobPath>) {
    const blob = await this.browsing.blob(project, params, signal);
    return 'content' in blob ? blob : base64Json(blobFields(blob, ''), { field: 'content', ...blob });
  }

  @Endpoint('HEAD /projects/:id/repository/blobs/:sha/raw', { ...READ, params: BlobPath })
  async headRawBlob({ subject: project, params }: ProjectCall<typeof BlobPath>) {
    return new RawAnswer(null, rawBlobHeaders(await this.browsing.blobSize(project, params)));
  }

  @Endpoint('GET /projects/:id/repository/blobs/:sha/raw', { ...READ, params: BlobPath })
  async rawBlob({ subject: project, params, signal }: ProjectCall<typeof BlobPath>) {
    const { size, bytes } = await this.browsing.rawBlob(project, params, signal);
    return new RawAnswer(bytes, rawBlobHeaders(size));
  }

  @Endpoint('HEAD /projects/:id/repository/archive', { ...READ, params: DownloadArchive })
  async headArchive({ subject: project, params }: ProjectCall<typeof DownloadArchive>) {
    return new RawAnswer(null, archiveHeaders(await this.browsing.archiveOf(project, params, 'tar.gz')));
  }

  @Endpoint('GET /projects/:id/repository/archive', { ...READ, params: DownloadArchive })
  async archive({ subject: project, params, signal }: ProjectCall<typeof DownloadArchive>) {
    const { archive, bytes } = await this.browsing.archive(project, params, 'tar.gz', signal);
    return new RawAnswer(bytes, archiveHeaders(archive));
  }

  @Endpoint('HEAD /projects/:id/repository/archive.:format', { ...READ, params: DownloadArchiveAs })
  async headArchiveAs({ subject: project, params }: ProjectCall<typeof DownloadArchiveAs>) {
    return new RawAnswer(null, archiveHeaders(await this.browsing.archiveOf(project, params, params.format)));
  }

  @Endpoint('GET /projects/:id/repository/archive.:format', { ...READ, params: DownloadArchiveAs })
  async archiveAs({ subject: project, params, signal }: ProjectCall<typeof DownloadArchiveAs>) {
    const { archive, bytes } = await this.browsing.archive(project, params, params.format, signal);
    return new RawAnswer(bytes, archiveHeaders(archive));
  }

  @Endpoint('GET /projects/:id/repository/compare', { ...READ, params: Compare, presents: presentComparison })
  compare({ subject: project, params, signal }: ProjectCall<typeof Compare>) {
    return this.browsing.compare(project, params, signal);
  }

  @Endpoint('GET /projects/:id/repository/contributors', {
    ...READ,
    params: ListContributors,
    presents: presentContributor,
    paginated: true,
  })
  contributors({ subject: project, params, page, signal }: ProjectCall<typeof ListContributors>) {
    return this.browsing.contributors(project, params, page, signal);
  }

  @Endpoint('GET /projects/:id/repository/merge_base', {
    ...READ,
    params: FindMergeBase,
    presents: presentCommit,
  })
  mergeBase({ subject: project, params, signal }: ProjectCall<typeof FindMergeBase>) {
    return this.browsing.mergeBase(project, params, signal);
  }
}
