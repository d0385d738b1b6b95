import { PROJECT_POLICY, atLeast, openToCaller, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, missing, notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../planning/planning.api';
import { given } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import type { ShownSnippet } from './shown-snippet';
import { ShownSnippets } from './shown-snippets.service';
import type { Snippet } from './snippet.entity';
import type { CreateProjectSnippet, UpdateProjectSnippet } from './snippet.params';
import { canChangeProjectSnippet, canReadSnippet } from './snippet.policy';
import { refuseInvalid } from './snippet-rules';
import { SnippetsRepository, type SnippetScope } from './snippets.repository';

/** Snippets of projects. */
@Injectable()
export class Snippets {
  constructor(
    private readonly database: Database,
    private readonly snippets: SnippetsRepository,
    private readonly shown: ShownSnippets,
  ) {}

  async list(actor: Actor, project: Project, request: PageRequest): Promise<Page<ShownSnippet>> {
    const page = await this.snippets.inProject(project.id, scopeOf(actor), request);
    return { ...page, rows: await this.shown.of(page.rows, project) };
  }

  /**
   * A snippet of the project, for everything that hangs on it. Throws "404 Not found" both where there is none and
   * where the caller may not see it.
   */
  async require(actor: Actor, project: Project, id: number): Promise<Snippet> {
    return readable(actor, project, await this.snippets.find(project.id, id));
  }

  async show(actor: Actor, project: Project, id: number): Promise<ShownSnippet> {
    return this.shown.one(await this.require(actor, project, id), project);
  }

  /** Throws as `require` does, and "404 UserAgentDetail Not Found". */
  async origin(actor: Actor, project: Project, id: number): Promise<RequestOrigin> {
    const snippet = await this.require(actor, project, id);
    const origin = await this.snippets.originOf(snippet.id);
    if (!origin) throw notFound('UserAgentDetail');
    return origin;
  }

  /** The bytes of its text. Throws as `require` does. */
  async raw(actor: Actor, project: Project, id: number): Promise<{ snippet: Snippet; bytes: Buffer }> {
    const snippet = await this.require(actor, project, id);
    const content = await this.snippets.contentOf(snippet.id);
    if (content === null) throw notFound();
    return { snippet, bytes: Buffer.from(content) };
  }

  /** Throws `validation` for what no snippet may be. */
  async create(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof CreateProjectSnippet>,
    origin: RequestOrigin,
  ): Promise<ShownSnippet> {
    const { title, file_name: fileName, description = null, visibility } = params;
    const content = params.code ?? params.content;
    if (content === undefined) throw missing('code');
    const columns = { title, fileName, description, visibility, content };
    refuseInvalid(columns);
    const authorId = signedIn(actor).id;
    const snippet = await this.snippets.insert({ ...columns, projectId: project.id, authorId }, origin);
    if (!snippet) throw notFound('Project');
    return this.shown.one(snippet, project);
  }

  /** For its author and for maintainers. Throws as `require` and `create` do. */
  async update(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof UpdateProjectSnippet>,
  ): Promise<ShownSnippet> {
    const { snippet_id: id, title, file_name: fileName, description, visibility } = params;
    const content = params.code ?? params.content;
    const changes = given({ title, fileName, description, visibility, content });
    await this.database.transaction(async () => {
      await this.requireForChange(actor, project, id);
      refuseInvalid(changes);
      await this.snippets.update(id, changes);
    });
    return this.show(actor, project, id);
  }

  /** For its author and for maintainers; whatever hangs on it goes too. */
  remove(actor: Actor, project: Project, id: number, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const snippet = await this.requireForChange(actor, project, id);
      requireUnmodified(snippet.updatedAt, unmodifiedSince);
      await this.snippets.remove(id);
    });
  }

  private async requireForChange(actor: Actor, project: Project, id: number): Promise<Snippet> {
    const snippet = readable(actor, project, await this.snippets.findForChange(project.id, id), 'Snippet');
    if (!canChangeProjectSnippet(actor, project, snippet)) throw forbidden();
    return snippet;
  }
}

function readable(actor: Actor, project: Project, snippet: Snippet | null, what?: string): Snippet {
  const isShown = PROJECT_POLICY.read_snippets(actor, project) && snippet && canReadSnippet(actor, snippet);
  if (!isShown) throw notFound(what);
  return snippet;
}

function scopeOf(actor: Actor): SnippetScope {
  if (atLeast('guest')(actor, null)) return 'everything';
  const open = (['public', 'internal'] as const).filter((visibility) => openToCaller(actor, { visibility }));
  return { open, authorId: actor.user?.id ?? null };
}
