import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateTag, DescribeRelease, ListTags, TagPath } from './tag.params';
import { presentTag, presentTagRelease } from './tag.presenter';
import { TagsService } from './tags.service';

const FILTER = { accessFirst: 'project:download_code' } as const;
const READ = { ...FILTER, access: 'project:download_code' } as const;
const WRITE = { ...FILTER, access: 'project:push_code', loginFirst: false } as const;

/** Tags; the specification only refers to them, the reference system has their form. */
@Controller()
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Endpoint('GET /projects/:id/repository/tags', {
    ...READ,
    params: ListTags,
    presents: presentTag,
    paginated: true,
  })
  list({ subject: project, params, page, signal }: ProjectCall<typeof ListTags>) {
    return this.tags.list(project, params, page, signal);
  }

  @Endpoint('GET /projects/:id/repository/tags/:tag_name', { ...READ, params: TagPath, presents: presentTag })
  get({ subject: project, params }: ProjectCall<typeof TagPath>) {
    return this.tags.find(project, params);
  }

  @Endpoint('POST /projects/:id/repository/tags', { ...WRITE, params: CreateTag, presents: presentTag })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateTag>) {
    return this.tags.create(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/repository/tags/:tag_name', { ...WRITE, params: TagPath })
  remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof TagPath>) {
    return this.tags.remove(actor, project, params, unmodifiedSince);
  }

  @Endpoint('POST /projects/:id/repository/tags/:tag_name/release', {
    ...WRITE,
    params: DescribeRelease,
    presents: presentTagRelease,
  })
  addRelease({ actor, subject: project, params }: ProjectCall<typeof DescribeRelease>) {
    return this.tags.addRelease(actor, project, params);
  }

  @Endpoint('PUT /projects/:id/repository/tags/:tag_name/release', {
    ...WRITE,
    params: DescribeRelease,
    presents: presentTagRelease,
  })
  describeRelease({ subject: project, params }: ProjectCall<typeof DescribeRelease>) {
    return this.tags.describeRelease(project, params);
  }
}
