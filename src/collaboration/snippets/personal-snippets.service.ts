import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../planning/planning.api';
import { given } from '../../identity/identity.api';
import type { ShownSnippet } from './shown-snippet';
import { ShownSnippets } from './shown-snippets.service';
import type { Snippet } from './snippet.entity';
import type { CreatePersonalSnippet, UpdatePersonalSnippet } from './snippet.params';
import { canChangePersonalSnippet, canReadSnippet } from './snippet.policy';
import { refuseInvalid } from './snippet-rules';
import { SnippetsRepository } from './snippets.repository';

/** Snippets of no project: everybody's own. */
@Injectable()
export class PersonalSnippets {
  constructor(
    private readonly database: Database,
    private readonly snippets: SnippetsRepository,
    private readonly shown: ShownSnippets,
  ) {}

  async own(actor: Actor, request: PageRequest): Promise<Page<ShownSnippet>> {
    return this.shownPage(await this.snippets.ofAuthor(signedIn(actor).id, request));
  }

  async public(request: PageRequest): Promise<Page<ShownSnippet>> {
    return this.shownPage(await this.snippets.public(request));
  }

  /** Throws "404 Not found" both where there is none and where the caller may not see it. */
  async show(actor: Actor, id: number): Promise<ShownSnippet> {
    return this.shown.one(readable(actor, await this.snippets.find(null, id)), null);
  }

  /** Throws as `show` does, and "404 UserAgentDetail Not Found". */
  async origin(actor: Actor, id: number): Promise<RequestOrigin> {
    const snippet = readable(actor, await this.snippets.find(null, id));
    const origin = await this.snippets.originOf(snippet.id);
    if (!origin) throw notFound('UserAgentDetail');
    return origin;
  }

  /** The bytes of its text; throws "404 Snippet Not Found". */
  async raw(actor: Actor, id: number): Promise<{ snippet: Snippet; bytes: Buffer }> {
    const snippet = readable(actor, await this.snippets.find(null, id), 'Snippet');
    const content = await this.snippets.contentOf(snippet.id);
    if (content === null) throw notFound('Snippet');
    return { snippet, bytes: Buffer.from(content) };
  }

  /** Throws `validation` for what no snippet may be. */
  async create(
    actor: Actor,
    params: ParamsOf<typeof CreatePersonalSnippet>,
    origin: RequestOrigin,
  ): Promise<ShownSnippet> {
    const { title, file_name: fileName, description = null, visibility, content } = params;
    const columns = { title, fileName, description, visibility, content };
    refuseInvalid(columns);
    const authorId = signedIn(actor).id;
    const snippet = await this.snippets.insert({ ...columns, projectId: null, authorId }, origin);
    if (!snippet) throw new Error('a personal snippet needs no project');
    return this.shown.one(snippet, null);
  }

  /** For its author and for administrators. */
  async update(actor: Actor, params: ParamsOf<typeof UpdatePersonalSnippet>): Promise<ShownSnippet> {
    const { id, title, file_name: fileName, description, visibility, content } = params;
    const changes = given({ title, fileName, description, visibility, content });
    await this.database.transaction(async () => {
      await this.requireForChange(actor, id);
      refuseInvalid(changes);
      await this.snippets.update(id, changes);
    });
    return this.show(actor, id);
  }

  /** For its author and for administrators; whatever hangs on it goes too. */
  remove(actor: Actor, id: number, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const snippet = await this.requireForChange(actor, id);
      requireUnmodified(snippet.updatedAt, unmodifiedSince);
      await this.snippets.remove(id);
    });
  }

  private async requireForChange(actor: Actor, id: number): Promise<Snippet> {
    const snippet = readable(actor, await this.snippets.findForChange(null, id), 'Snippet');
    if (!canChangePersonalSnippet(actor, snippet)) throw forbidden();
    return snippet;
  }

  private async shownPage(page: Page<Snippet>): Promise<Page<ShownSnippet>> {
    return { ...page, rows: await this.shown.of(page.rows, null) };
  }
}

function readable(actor: Actor, snippet: Snippet | null, what?: string): Snippet {
  // Whatever level the caller has somewhere, nobody is a member of a personal snippet.
  if (!snippet || !canReadSnippet({ ...actor, level: 0 }, snippet)) throw notFound(what);
  return snippet;
}
