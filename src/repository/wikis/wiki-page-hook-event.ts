import type { ActorUser } from '#libs/access';
import { Urls } from '#libs/presenting';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { RefMoves } from '../changes/ref-moves.service';
import { HookEvent, type HookCall } from '../hooks/hook-event';
import type { HookKindName } from '../hooks/hook-kinds';
import { HookRecords } from '../hooks/hook-records';
import type { Project } from '../projects/project.entity';
import { pageAt, titleOf } from './wiki-page';
import { wikiPageChanged, type WikiPageChanged } from './wiki-page-changed.event';
import { WIKI_BRANCH, WikiRepositories, type OpenWiki } from './wiki-repositories';

/** A longer page is told without its content. */
const LONGEST_CONTENT = 1024 * 1024;

/** Pages of wikis that are made, changed or deleted. */
@Injectable()
export class WikiPageHookEvent extends HookEvent<WikiPageChanged> {
  readonly type = wikiPageChanged;
  readonly kinds = ['wiki_page'] as const;

  constructor(
    private readonly wikis: WikiRepositories,
    private readonly moves: RefMoves,
    private readonly records: HookRecords,
    private readonly urls: Urls,
  ) {
    super();
  }

  /** Nothing where the process died between the note of a change and the change itself; see WikiCommits. */
  async calls(change: WikiPageChanged, project: Project): Promise<readonly HookCall[]> {
    const wiki = await this.moves.locked(project, () => this.wikis.open(project));
    return wiki && (await has(wiki, change.sha)) ? [this.callFor(project, wiki, change)] : [];
  }

  async sample(_kind: HookKindName, project: Project, { id: actorId }: ActorUser): Promise<HookCall | null> {
    const wiki = await this.wikis.open(project);
    if (!wiki) return null;
    const entries = (await wiki.repository.tree(wiki.tip, '', { recursive: true })) ?? [];
    const [page] = entries.flatMap(({ type, path }) => (type === 'blob' ? (pageAt(path) ?? []) : []));
    if (!page) return null;
    const change = { ...page, projectId: project.id, actorId, action: 'create', sha: wiki.tip } as const;
    return this.callFor(project, wiki, change);
  }

  private callFor(project: Project, wiki: OpenWiki, change: WikiPageChanged): HookCall {
    return { kind: 'wiki_page', branch: null, body: () => this.body(project, wiki, change) };
  }

  private async body(project: Project, wiki: OpenWiki, change: WikiPageChanged): Promise<object> {
    const { action, slug, format, path, sha, actorId } = change;
    const commit = await wiki.repository.commit(sha);
    const web = `${this.urls.web(project.fullPath)}/wikis`;
    const wikiPath = `${project.fullPath}.wiki`;
    return {
      object_kind: 'wiki_page',
      user: await this.records.user(actorId),
      project: this.records.project(project),
      wiki: {
        web_url: `${web}/home`,
        git_ssh_url: this.urls.gitOverSsh(wikiPath),
        git_http_url: this.urls.gitOverHttp(wikiPath),
        path_with_namespace: wikiPath,
        default_branch: WIKI_BRANCH,
      },
      object_attributes: {
        title: titleOf(change),
        // A deleted page is told as it was last.
        content: await contentOf(wiki, action === 'delete' ? commit?.parents[0] : sha, path),
        format,
        message: commit?.message.trimEnd() ?? '',
        slug,
        url: `${web}/${slug.split('/').map(encodeURIComponent).join('/')}`,
        action,
      },
    };
  }
}

const has = async ({ repository, tip }: OpenWiki, sha: Sha): Promise<boolean> =>
  (await repository.commit(sha)) !== null && (await repository.isAncestor(sha, tip));

async function contentOf({ repository }: OpenWiki, sha: Sha | undefined, path: string): Promise<string> {
  const entry = sha === undefined ? null : await repository.file(sha, path);
  if (!entry || entry.size > LONGEST_CONTENT) return '';
  return (await repository.blob(entry.sha)).toString();
}
