import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { SealedTexts } from '../../identity/identity.api';
import { HOOK_FLAGS, HOOK_KINDS, type HookFlag, type HookKindName } from './hook-kinds';
import { ProjectHook } from './project-hook.entity';

const URLS = 'urls of hooks';
const TOKENS = 'tokens of hooks';

const columnOf = (flag: HookFlag): string => flag.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const FLAGS_OF_HOOKS = `SELECT ${HOOK_FLAGS.map((flag) => `${columnOf(flag)} AS "${flag}"`).join(', ')}
  FROM project_hooks WHERE project_id = $1`;

/** What can be set; what is left out stays as it was, or has its default in a new hook. */
export type HookColumns = Partial<Record<HookFlag | 'enableSslVerification', boolean>> & {
  readonly url: string;
  readonly pushEventsBranchFilter?: string | null;
  /** Null for none. */
  readonly token?: string | null;
};

@Injectable()
export class HooksRepository {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedTexts,
  ) {}

  async page(projectId: number, request: PageRequest): Promise<Page<ProjectHook>> {
    const query = this.database.manager
      .createQueryBuilder(ProjectHook, 'hook')
      .where('hook.projectId = :projectId', { projectId })
      .orderBy('hook.id', 'ASC');
    const page = await paginate(query, request);
    return { ...page, rows: page.rows.map((hook) => this.opened(hook)) };
  }

  /** All of them, in the order of their ids; as many as a project may have. */
  async ofProject(projectId: number): Promise<ProjectHook[]> {
    const hooks = await this.database.manager.find(ProjectHook, {
      where: { projectId },
      order: { id: 'ASC' },
    });
    return hooks.map((hook) => this.opened(hook));
  }

  async find(projectId: number, id: number): Promise<ProjectHook | null> {
    const hook = await this.database.manager.findOneBy(ProjectHook, { id, projectId });
    return hook && this.opened(hook);
  }

  /** Locked until the transaction ends. */
  findForChange(projectId: number, id: number): Promise<ProjectHook | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return this.database.manager.findOne(ProjectHook, { where: { id, projectId }, lock });
  }

  /** Throws where there is none: whoever knows the id knows that there was one. */
  async get(id: number): Promise<ProjectHook> {
    return this.opened(await this.database.manager.findOneByOrFail(ProjectHook, { id }));
  }

  /** Whether a hook of the project wants calls of one of the kinds, of whichever branch. */
  async hasAny(projectId: number, kinds: readonly HookKindName[]): Promise<boolean> {
    const rows = await this.database.prepared<Record<HookFlag, boolean>>('flags_of_hooks', FLAGS_OF_HOOKS, [
      projectId,
    ]);
    return rows.some((hook) =>
      kinds.some((kind) => HOOK_KINDS[kind].flags.every((flag: HookFlag) => hook[flag])),
    );
  }

  /** The secret that the receiver knows the service by. */
  tokenOf({ sealedToken }: ProjectHook): string | null {
    return sealedToken && this.sealed.open(TOKENS, sealedToken);
  }

  /** Null where the project has `most` hooks already. */
  insert(projectId: number, columns: HookColumns, most: number): Promise<ProjectHook | null> {
    return this.database.transaction(async () => {
      const { manager } = this.database;
      // Two requests at once would count the same hooks.
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`hooks:${projectId}`]);
      if ((await manager.countBy(ProjectHook, { projectId })) >= most) return null;
      const hook = manager.create(ProjectHook, { projectId, ...this.columnsOf(columns) });
      await manager.insert(ProjectHook, hook);
      return this.opened(await manager.findOneByOrFail(ProjectHook, { id: hook.id }));
    });
  }

  async update(id: number, columns: HookColumns): Promise<void> {
    await this.database.manager.update(
      ProjectHook,
      { id },
      { ...this.columnsOf(columns), updatedAt: new Date() },
    );
  }

  async remove(id: number): Promise<void> {
    await this.database.manager.delete(ProjectHook, { id });
  }

  private columnsOf({ url, token, ...rest }: HookColumns) {
    return {
      ...rest,
      sealedUrl: this.sealed.seal(URLS, url),
      ...(token !== undefined && { sealedToken: token === null ? null : this.sealed.seal(TOKENS, token) }),
    };
  }

  private opened(hook: ProjectHook): ProjectHook {
    hook.url = this.sealed.open(URLS, hook.sealedUrl);
    return hook;
  }
}
