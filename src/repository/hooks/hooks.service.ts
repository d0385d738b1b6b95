import { Database } from '#libs/database';
import { notFound, requireUnmodified } from '#libs/errors';
import { isBranchName } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { OutboundHttp } from '#libs/outbound';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import type { CreateHook, UpdateHook } from './hook.params';
import { HooksRepository, type HookColumns } from './hooks.repository';
import type { ProjectHook } from './project-hook.entity';
import { refusedHook } from './refused-hook';

const MOST_HOOKS = 100;
/** Many servers take no longer header line than 4 or 8 KiB. */
const LONGEST_TOKEN = 2048;

type HookParams = Omit<ParamsOf<typeof CreateHook>, 'id'>;

@Injectable()
export class HooksService {
  constructor(
    private readonly database: Database,
    private readonly hooks: HooksRepository,
    private readonly outbound: OutboundHttp,
  ) {}

  list(project: Project, page: PageRequest): Promise<Page<ProjectHook>> {
    return this.hooks.page(project.id, page);
  }

  /** Throws "404 Not found" for what is no hook of this project. */
  async find(project: Project, hookId: number): Promise<ProjectHook> {
    const hook = await this.hooks.find(project.id, hookId);
    if (!hook) throw notFound();
    return hook;
  }

  /** Throws `unprocessable` for a URL, filter or token that will not do, and where the project has too many hooks. */
  async create(project: Project, params: ParamsOf<typeof CreateHook>): Promise<ProjectHook> {
    const hook = await this.hooks.insert(project.id, this.columnsOf(params), MOST_HOOKS);
    if (!hook) throw refusedHook(`Maximum number of project hooks (${MOST_HOOKS}) exceeded`);
    return hook;
  }

  /** Throws as `find` and `create` do. */
  async update(project: Project, params: ParamsOf<typeof UpdateHook>): Promise<ProjectHook> {
    const { id } = await this.find(project, params.hook_id);
    await this.hooks.update(id, this.columnsOf(params));
    return this.find(project, id);
  }

  /** Throws "404 Not found" the second time. */
  remove({ id: projectId }: Project, hookId: number, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const hook = await this.hooks.findForChange(projectId, hookId);
      if (!hook) throw notFound();
      requireUnmodified(hook.updatedAt, unmodifiedSince);
      await this.hooks.remove(hook.id);
    });
  }

  private columnsOf(params: HookParams): HookColumns {
    const { url, token, push_events_branch_filter: filter } = params;
    if (this.outbound.checkUrl(url)) throw refusedHook('Invalid url given');
    if (filter && !isBranchName(filter.replaceAll('*', 'x')))
      throw refusedHook('Invalid branch filter given');
    // It becomes a header, and must not become two.
    if (token && (/[^\P{Cc}\t]/u.test(token) || Buffer.byteLength(token) > LONGEST_TOKEN))
      throw refusedHook('Invalid token given');
    return {
      url,
      ...(filter !== undefined && { pushEventsBranchFilter: filter || null }),
      ...(token !== undefined && { token: token || null }),
      ...flagsOf(params),
    };
  }
}

/** Those that are given. */
function flagsOf(params: HookParams): Omit<HookColumns, 'url'> {
  const flags = {
    pushEvents: params.push_events,
    issuesEvents: params.issues_events,
    confidentialIssuesEvents: params.confidential_issues_events,
    mergeRequestsEvents: params.merge_requests_events,
    tagPushEvents: params.tag_push_events,
    noteEvents: params.note_events,
    jobEvents: params.job_events,
    pipelineEvents: params.pipeline_events,
    wikiPageEvents: params.wiki_page_events ?? params.wiki_events,
    enableSslVerification: params.enable_ssl_verification,
  };
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}
