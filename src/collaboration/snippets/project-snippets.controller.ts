import { Endpoint, RawAnswer, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { originOf, presentRequestOrigin } from '../../planning/planning.api';
import { CreateProjectSnippet, InProject, SnippetPath, UpdateProjectSnippet } from './snippet.params';
import { presentSnippet, rawSnippetHeaders } from './snippet.presenter';
import { Snippets } from './snippets.service';

/** The reference looks whether snippets are on before anything else. */
const READ = { access: 'project:read_snippets', accessFirst: 'project:read_snippets' } as const;

@Controller()
export class ProjectSnippetsController {
  constructor(private readonly snippets: Snippets) {}

  @Endpoint('GET /projects/:id/snippets', {
    ...READ,
    params: InProject,
    presents: presentSnippet,
    paginated: true,
  })
  list({ actor, subject: project, page }: ProjectCall<typeof InProject>) {
    return this.snippets.list(actor, project, page);
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id', {
    ...READ,
    params: SnippetPath,
    presents: presentSnippet,
  })
  show({ actor, subject: project, params }: ProjectCall<typeof SnippetPath>) {
    return this.snippets.show(actor, project, params.snippet_id);
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id/raw', { ...READ, params: SnippetPath })
  async raw({ actor, subject: project, params }: ProjectCall<typeof SnippetPath>) {
    const { snippet, bytes } = await this.snippets.raw(actor, project, params.snippet_id);
    return new RawAnswer(bytes, rawSnippetHeaders(snippet, bytes.length));
  }

  @Endpoint('POST /projects/:id/snippets', {
    ...READ,
    access: 'project:create_snippets',
    params: CreateProjectSnippet,
    presents: presentSnippet,
  })
  create(call: ProjectCall<typeof CreateProjectSnippet>) {
    return this.snippets.create(call.actor, call.subject, call.params, originOf(call));
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id/user_agent_detail', {
    ...READ,
    access: 'admin',
    loginFirst: true,
    params: SnippetPath,
    presents: presentRequestOrigin,
  })
  origin({ actor, subject: project, params }: ProjectCall<typeof SnippetPath>) {
    return this.snippets.origin(actor, project, params.snippet_id);
  }

  @Endpoint('PUT /projects/:id/snippets/:snippet_id', {
    ...READ,
    params: UpdateProjectSnippet,
    presents: presentSnippet,
  })
  update({ actor, subject: project, params }: ProjectCall<typeof UpdateProjectSnippet>) {
    return this.snippets.update(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/snippets/:snippet_id', { ...READ, params: SnippetPath })
  remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof SnippetPath>) {
    return this.snippets.remove(actor, project, params.snippet_id, unmodifiedSince);
  }
}
