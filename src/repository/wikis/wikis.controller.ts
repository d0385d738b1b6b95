import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentWikiPage } from './wiki-page.presenter';
import { CreateWikiPage, ListWikiPages, UpdateWikiPage, WikiPagePath } from './wiki.params';
import { Wikis } from './wikis.service';

/** Pages of wikis: what the hooks' wiki events tell of. */
@Controller()
export class WikisController {
  constructor(private readonly wikis: Wikis) {}

  @Endpoint('GET /projects/:id/wikis', {
    access: 'project:read_wiki',
    params: ListWikiPages,
    presents: presentWikiPage,
    paginated: true,
  })
  list({ subject: project, params, page }: ProjectCall<typeof ListWikiPages>) {
    return this.wikis.list(project, params, page);
  }

  @Endpoint('GET /projects/:id/wikis/:slug', {
    access: 'project:read_wiki',
    params: WikiPagePath,
    presents: presentWikiPage,
  })
  show({ subject: project, params }: ProjectCall<typeof WikiPagePath>) {
    return this.wikis.find(project, params.slug);
  }

  @Endpoint('POST /projects/:id/wikis', {
    access: 'project:write_wiki',
    params: CreateWikiPage,
    presents: presentWikiPage,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateWikiPage>) {
    return this.wikis.create(actor, project, params);
  }

  @Endpoint('PUT /projects/:id/wikis/:slug', {
    access: 'project:write_wiki',
    params: UpdateWikiPage,
    presents: presentWikiPage,
  })
  update({ actor, subject: project, params }: ProjectCall<typeof UpdateWikiPage>) {
    return this.wikis.update(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/wikis/:slug', { access: 'project:delete_wiki_pages', params: WikiPagePath })
  delete({ actor, subject: project, params }: ProjectCall<typeof WikiPagePath>) {
    return this.wikis.delete(actor, project, params.slug);
  }
}
