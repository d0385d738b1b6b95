import { authorize, signedIn, type Actor, type ActorUser } from '#libs/access';
import { invalid, notFound } from '#libs/errors';
import type { FileAction, GitRepository, Sha } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { sentContent } from '../changes/sent-content';
import type { Project } from '../projects/project.entity';
import type { WikiAction } from './wiki-page-changed.event';
import { fileOf, pageAt, slugOf, type WikiFile, type WikiFormat, type WikiPage } from './wiki-page';
import type { CreateWikiPage, ListWikiPages, UpdateWikiPage } from './wiki.params';
import { WikiCommits } from './wiki-commits.service';
import { WikiRepositories, type OpenWiki } from './wiki-repositories';

/** Pages beyond this number are not listed. */
const MOST_PAGES = 10_000;

/** The pages of projects' wikis: files of a git repository beside the project's. */
@Injectable()
export class Wikis {
  constructor(
    private readonly repositories: WikiRepositories,
    private readonly commits: WikiCommits,
  ) {}

  /** By path. */
  async list(
    project: Project,
    { with_content: withContent }: ParamsOf<typeof ListWikiPages>,
    { page, perPage }: PageRequest,
  ): Promise<Page<WikiPage>> {
    const wiki = await this.repositories.open(project);
    if (!wiki) return { rows: [], total: 0, hasNext: false };
    const entries = (await wiki.repository.tree(wiki.tip, '', { recursive: true })) ?? [];
    const pages = entries.flatMap(({ type, path }) => (type === 'blob' ? (pageAt(path) ?? []) : []));
    const shown = pages.slice(0, MOST_PAGES);
    const begin = (page - 1) * perPage;
    const rows = shown.slice(begin, begin + perPage);
    const found = { rows, total: shown.length, hasNext: begin + perPage < shown.length };
    if (!withContent) return mapPage(found, (file) => ({ ...file, content: null }));
    return { ...found, rows: await Promise.all(rows.map((file) => read(wiki, file))) };
  }

  /** Throws "404 Wiki Page Not Found". */
  async find(project: Project, slug: string): Promise<WikiPage> {
    const wiki = await this.repositories.open(project);
    const file = wiki && (await locate(wiki.repository, wiki.tip, slug));
    if (!wiki || !file) throw notFound('Wiki Page');
    return read(wiki, file);
  }

  /** Throws `validation` for a page that is there already, in whatever format. */
  async create(actor: Actor, project: Project, params: ParamsOf<typeof CreateWikiPage>): Promise<WikiPage> {
    const content = await wikiContent(params.content);
    const file = fileOf(requireSlug(params.title), params.format);
    await this.change(actor, project, 'project:write_wiki', 'create', async (repository, tip) => {
      await refuseTaken(repository, tip, file.slug);
      return { file, actions: [{ action: 'create', path: file.path, content }] };
    });
    return { ...file, content: content.toString() };
  }

  /** Throws "404 Wiki Page Not Found", `validation` where nothing is to change or the new title is taken. */
  async update(actor: Actor, project: Project, params: ParamsOf<typeof UpdateWikiPage>): Promise<WikiPage> {
    const { title, format } = params;
    if (title === undefined && format === undefined && params.content === undefined)
      throw invalid({
        base: ['title, content, format are missing, at least one parameter must be provided'],
      });
    const content = params.content === undefined ? undefined : await wikiContent(params.content);
    let written: WikiPage | undefined;
    await this.change(actor, project, 'project:write_wiki', 'update', async (repository, tip) => {
      const before = await requireFile(repository, tip, params.slug);
      const file = renamed(before.file, title, format);
      if (file.slug !== before.file.slug) await refuseTaken(repository, tip, file.slug);
      const bytes = content ?? (await bytesOf({ repository, tip: before.tip }, before.file));
      written = { ...file, content: bytes.toString() };
      return { file, actions: [actionOf(before.file, file, bytes)] };
    });
    if (!written) throw new Error('a change that was made has a page');
    return written;
  }

  /** Throws "404 Wiki Page Not Found". */
  async delete(actor: Actor, project: Project, slug: string): Promise<void> {
    await this.change(actor, project, 'project:delete_wiki_pages', 'delete', async (repository, tip) => {
      const { file } = await requireFile(repository, tip, slug);
      return { file, actions: [{ action: 'delete', path: file.path }] };
    });
  }

  private change(
    actor: Actor,
    project: Project,
    ability: 'project:write_wiki' | 'project:delete_wiki_pages',
    action: WikiAction,
    plan: (
      repository: GitRepository,
      tip: Sha | null,
    ) => Promise<{ readonly file: WikiFile; readonly actions: readonly FileAction[] }>,
  ): Promise<void> {
    const user: ActorUser = signedIn(actor);
    const check = (facts: Project): void => authorize(ability, actor, { kind: 'project', facts });
    return this.commits.commit({ user, project, check, action, plan });
  }
}

const wikiContent = async (sent: ParamsOf<typeof CreateWikiPage>['content']): Promise<Buffer> => {
  const content = await sentContent(sent, 'text');
  if (content.toString().trim() === '') throw invalid({ content: ["can't be blank"] });
  return content;
};

function requireSlug(title: string): string {
  const slug = slugOf(title);
  if (slug === '') throw invalid({ title: ["can't be blank"] });
  return slug;
}

/** Where neither title nor format change, the file keeps its name, whatever its ending. */
function renamed(old: WikiFile, title: string | undefined, format: WikiFormat | undefined): WikiFile {
  const slug = title === undefined ? old.slug : requireSlug(title);
  const isSame = slug === old.slug && (format ?? old.format) === old.format;
  return isSame ? old : fileOf(slug, format ?? old.format);
}

const actionOf = (old: WikiFile, { path }: WikiFile, content: Buffer): FileAction =>
  path === old.path
    ? { action: 'update', path, content }
    : { action: 'move', path, previousPath: old.path, content };

async function bytesOf({ repository, tip }: OpenWiki, file: WikiFile): Promise<Buffer> {
  const entry = await repository.file(tip, file.path);
  if (!entry) throw notFound('Wiki Page');
  return repository.blob(entry.sha);
}

const read = async (wiki: OpenWiki, file: WikiFile): Promise<WikiPage> => ({
  ...file,
  content: (await bytesOf(wiki, file)).toString(),
});

/** The page of a slug, in whatever format. */
async function locate(repository: GitRepository, tip: Sha, slug: string): Promise<WikiFile | null> {
  const folder = slug.includes('/') ? slug.slice(0, slug.lastIndexOf('/')) : '';
  const entries = (await repository.tree(tip, folder, { recursive: false })) ?? [];
  const pages = entries.flatMap(({ type, path }) => (type === 'blob' ? (pageAt(path) ?? []) : []));
  return pages.find((page) => page.slug === slug) ?? null;
}

async function requireFile(
  repository: GitRepository,
  tip: Sha | null,
  slug: string,
): Promise<{ file: WikiFile; tip: Sha }> {
  const file = tip === null ? null : await locate(repository, tip, slug);
  if (tip === null || !file) throw notFound('Wiki Page');
  return { file, tip };
}

async function refuseTaken(repository: GitRepository, tip: Sha | null, slug: string): Promise<void> {
  if (tip !== null && (await locate(repository, tip, slug)))
    throw invalid({ base: ['Duplicate page: A page with that title already exists'] });
}
