import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Level, type LevelName, type Scope, type Visibility } from '#libs/access';
import { Git, ZERO_SHA, type Sha } from '#libs/git';
import type { INestApplicationContext } from '@nestjs/common';
import type { Client } from 'pg';
import { hashedDiskPath, Storages } from '../../src/repository/storages/storages';

export interface BuiltUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  /** A personal access token with the scopes asked for, `api` by default. */
  readonly token: string;
  /** The personal namespace. */
  readonly namespaceId: number;
}

export interface BuiltGroup {
  readonly id: number;
  readonly fullPath: string;
}

export interface BuiltProject {
  readonly id: number;
  readonly path: string;
  readonly fullPath: string;
  /** The bare repository, for asking git itself. */
  readonly repositoryPath: string;
  /** Tip of master, ZERO_SHA for an empty repository. */
  readonly tip: Sha;
}

type Members = Partial<Record<Exclude<LevelName, 'none'>, BuiltUser>>;

const unique = (word: string): string => `${word}-${randomBytes(4).toString('hex')}`;

/** Makes what a test needs, missing parents included, straight in the database and the storages. */
export class Builders {
  constructor(
    private readonly database: Client,
    private readonly application: INestApplicationContext,
  ) {}

  async user(
    options: {
      username?: string;
      admin?: boolean;
      external?: boolean;
      blocked?: boolean;
      scopes?: Scope[];
    } = {},
  ): Promise<BuiltUser> {
    const username = options.username ?? unique('user');
    const email = `${username.toLowerCase()}@example.com`;
    const name = `Name of ${username}`;
    const id = await this.insert('users', {
      username,
      name,
      email,
      is_admin: options.admin ?? false,
      is_external: options.external ?? false,
      state: options.blocked ? 'blocked' : 'active',
      confirmed_at: new Date(),
    });
    const namespaceId = await this.namespace(
      { kind: 'user', owner_id: id, name: username, path: username },
      null,
      username,
    );
    const token = await this.token({ id }, options.scopes ?? ['api']);
    return { id, username, name, email, token, namespaceId };
  }

  /** A token of the user; answers its secret. */
  async token(
    user: { id: number },
    scopes: readonly Scope[],
    options: {
      expiresAt?: Date;
      revokedAt?: Date;
      kind?: 'personal' | 'impersonation' | 'oauth' | 'job' | 'session';
      csrfToken?: string;
    } = {},
  ): Promise<string> {
    const secret = randomUUID().replaceAll('-', '');
    const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
    await this.insert('access_tokens', {
      kind: options.kind ?? 'personal',
      user_id: user.id,
      name: 'test',
      digest: digest(secret),
      scopes: [...scopes],
      expires_at: options.expiresAt ?? null,
      revoked_at: options.revokedAt ?? null,
      csrf_digest: options.csrfToken === undefined ? null : digest(options.csrfToken),
    });
    return secret;
  }

  async group(
    options: { path?: string; parent?: BuiltGroup; visibility?: Visibility; members?: Members } = {},
  ): Promise<BuiltGroup> {
    const path = options.path ?? unique('group');
    const fullPath = options.parent ? `${options.parent.fullPath}/${path}` : path;
    const columns = { kind: 'group', name: path, path, visibility: options.visibility ?? 'private' };
    const id = await this.namespace(columns, options.parent?.id ?? null, fullPath);
    await this.members('namespace', id, options.members ?? {});
    return { id, fullPath };
  }

  /** `files` makes a first commit on master, which becomes the protected default branch. */
  async project(
    options: {
      path?: string;
      visibility?: Visibility;
      namespace?: BuiltGroup;
      owner?: BuiltUser;
      members?: Members;
      files?: Readonly<Record<string, string | Buffer>>;
      columns?: Readonly<Record<string, unknown>>;
    } = {},
  ): Promise<BuiltProject> {
    const owner = options.owner ?? (await this.user());
    const path = options.path ?? unique('project');
    const fullPath = `${options.namespace?.fullPath ?? owner.username}/${path}`;
    const storages = this.application.get(Storages);
    const id = await this.insert('projects', {
      namespace_id: options.namespace?.id ?? owner.namespaceId,
      creator_id: owner.id,
      name: path,
      path,
      visibility: options.visibility ?? 'private',
      repository_storage: storages.forNewRepositories,
      disk_path: unique('unset'),
      ...options.columns,
    });
    const diskPath = hashedDiskPath(id);
    await this.database.query('UPDATE projects SET disk_path = $2 WHERE id = $1', [id, diskPath]);
    await this.insert('routes', { path: fullPath, project_id: id });
    await this.members('project', id, options.members ?? {});
    const location = storages.locate({ repositoryStorage: storages.forNewRepositories, diskPath });
    await this.application.get(Git).create(location, 'master');
    const tip = options.files ? await this.firstCommit(id, location.path, options.files) : ZERO_SHA;
    return { id, path, fullPath, repositoryPath: location.path, tip };
  }

  async member(
    source: 'project' | 'namespace',
    sourceId: number,
    user: { id: number },
    level: LevelName,
    expiresAt?: string,
  ): Promise<void> {
    await this.insert('members', {
      source_kind: source,
      source_id: sourceId,
      user_id: user.id,
      access_level: Level[level],
      expires_at: expiresAt ?? null,
    });
  }

  async share(project: { id: number }, group: { id: number }, level: LevelName): Promise<void> {
    await this.insert('project_shares', {
      project_id: project.id,
      group_id: group.id,
      group_access: Level[level],
    });
  }

  /** Protects a branch or wildcard; the level holds for pushing and merging alike. */
  async protectedBranch(project: { id: number }, name: string, level: number): Promise<void> {
    const id = await this.insert('protected_branches', { project_id: project.id, name });
    for (const action of ['push', 'merge', 'unprotect']) {
      await this.insert('protected_branch_access', { protected_branch_id: id, action, access_level: level });
    }
  }

  private async members(source: 'project' | 'namespace', id: number, members: Members): Promise<void> {
    const levels: Exclude<LevelName, 'none'>[] = ['guest', 'reporter', 'developer', 'maintainer', 'owner'];
    for (const level of levels) {
      const user = members[level];
      if (user) await this.member(source, id, user, level);
    }
  }

  private async namespace(
    columns: Record<string, unknown>,
    parentId: number | null,
    fullPath: string,
  ): Promise<number> {
    const id = await this.insert('namespaces', { ...columns, parent_id: parentId });
    await this.database.query(
      `UPDATE namespaces SET traversal_ids = coalesce((SELECT traversal_ids FROM namespaces WHERE id = $2), '{}') || $1::bigint
       WHERE id = $1`,
      [id, parentId],
    );
    await this.insert('routes', { path: fullPath, namespace_id: id });
    return id;
  }

  private async firstCommit(
    projectId: number,
    path: string,
    files: Readonly<Record<string, string | Buffer>>,
  ): Promise<Sha> {
    const repository = this.application.get(Git).open({ path });
    const person = { name: 'Fixture', email: 'fixture@example.com', time: 1_700_000_000, offset: '+0000' };
    const tip = await repository.createCommit({
      base: null,
      actions: Object.entries(files).map(([file, content]) => ({
        action: 'create',
        path: file,
        content: Buffer.from(content),
      })),
      message: 'First commit\n',
      author: person,
      committer: person,
    });
    await repository.updateRefs([{ ref: 'refs/heads/master', oldSha: ZERO_SHA, newSha: tip }]);
    await this.database.query(`UPDATE projects SET default_branch = 'master' WHERE id = $1`, [projectId]);
    await this.protectedBranch({ id: projectId }, 'master', Level.maintainer);
    return tip;
  }

  private async insert(table: string, columns: Readonly<Record<string, unknown>>): Promise<number> {
    const names = Object.keys(columns);
    const { rows } = await this.database.query<{ id: number }>(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING id`,
      Object.values(columns),
    );
    const [row] = rows;
    if (!row) throw new Error(`nothing was inserted into ${table}`);
    return Number(row.id);
  }
}
