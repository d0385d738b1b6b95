import { GitFixture } from '#libs/testing';
import type { TestApplication } from './application';
import type { BuiltProject, BuiltUser } from './builders';

/** Ten numbered lines, some of them replaced. */
export const lines = (changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 10 }, (_, index) => `${changes[index] ?? `line ${index}`}\n`).join('');

/** What a merge request has in the database beside its branches. */
export type ProposalColumns = Readonly<Record<string, unknown>>;

export interface Proposal {
  readonly id: number;
  readonly iid: number;
  readonly url: string;
  readonly head: string;
}

export interface Proposing {
  /** By default the branch `topic` with one commit that replaces line 8 of `f`. */
  readonly source?: string;
  readonly target?: string;
  /** The fork that it comes from. */
  readonly from?: BuiltProject;
  readonly columns?: ProposalColumns;
}

/** A project with a protected `master` that has one file `f`, its people, and its repository for asking git itself. */
export class MergingScene {
  private constructor(
    private readonly app: TestApplication,
    readonly project: BuiltProject,
    readonly git: GitFixture,
    readonly maintainer: BuiltUser,
    readonly developer: BuiltUser,
    readonly author: BuiltUser,
  ) {}

  /** `columns` are the project's. */
  static async set(
    app: TestApplication,
    columns: Readonly<Record<string, unknown>> = {},
  ): Promise<MergingScene> {
    const maintainer = await app.build.user();
    const developer = await app.build.user();
    const author = await app.build.user();
    const project = await app.build.project({ members: { maintainer }, files: { f: lines() }, columns });
    await app.build.member('project', project.id, developer, 'developer');
    await app.build.member('project', project.id, author, 'developer');
    return new MergingScene(
      app,
      project,
      GitFixture.on(project.repositoryPath),
      maintainer,
      developer,
      author,
    );
  }

  /** A branch that begins at master's first commit and changes lines of `f`, a commit for each entry. */
  async branch(name: string, ...changes: Readonly<Record<number, string>>[]): Promise<string> {
    let tip = this.project.tip;
    let changed: Readonly<Record<number, string>> = {};
    for (const [index, change] of changes.entries()) {
      changed = { ...changed, ...change };
      const message = `Change ${index + 1} of ${name}\n`;
      tip = await this.git.commit({ branch: name, parents: [tip], files: { f: lines(changed) }, message });
    }
    return tip;
  }

  tip(branch: string): Promise<string> {
    return this.git.git('rev-parse', '--verify', `refs/heads/${branch}`);
  }

  /** A merge request of branches that are there, put straight into the database. */
  async propose({
    source = 'topic',
    target = 'master',
    from,
    columns = {},
  }: Proposing = {}): Promise<Proposal> {
    const sourceGit = from ? GitFixture.on(from.repositoryPath) : this.git;
    const head = await sourceGit.git('rev-parse', `refs/heads/${source}`);
    if (from) await this.git.git('fetch', '-q', from.repositoryPath, head);
    const start = await this.git.git('rev-parse', `refs/heads/${target}`);
    const base = await this.git.git('merge-base', start, head).catch(() => start);
    const iid = await this.nextIid();
    const values = {
      iid,
      project_id: this.project.id,
      source_project_id: (from ?? this.project).id,
      source_branch: source,
      target_branch: target,
      author_id: this.author.id,
      title: `Merge ${source}`,
      ...{ head_sha: head, base_sha: base, start_sha: start },
      ...columns,
    };
    const names = Object.keys(values);
    const places = names.map((_, index) => `$${index + 1}`);
    const { rows } = await this.app.database.query<{ id: number }>(
      `INSERT INTO merge_requests (${names.join(', ')}) VALUES (${places.join(', ')}) RETURNING id::integer`,
      Object.values(values),
    );
    const id = rows[0]?.id ?? 0;
    const commits = (await this.git.git('rev-list', head, `^${start}`)).split('\n').filter(Boolean);
    await this.app.database.query(
      `INSERT INTO merge_request_commits (merge_request_id, sha, position)
       SELECT $1, sha, place FROM unnest($2::text[]) WITH ORDINALITY AS listed (sha, place)`,
      [id, commits],
    );
    return { id, iid, head, url: `/projects/${this.project.id}/merge_requests/${iid}` };
  }

  merge(user: BuiltUser, { url }: Proposal, body: object = {}) {
    return this.app.as(user).put(`${url}/merge`, body);
  }

  /** Columns of the merge request as they are now. */
  async row({ id }: Proposal): Promise<Record<string, unknown>> {
    const { rows } = await this.app.database.query<{ row: Record<string, unknown> }>(
      'SELECT to_jsonb(merge_requests) AS row FROM merge_requests WHERE id = $1',
      [id],
    );
    return rows[0]?.row ?? {};
  }

  /** Its system notes, oldest first. */
  async notes({ id }: Proposal): Promise<string[]> {
    const { rows } = await this.app.database.query<{ body: string }>(
      'SELECT body FROM notes WHERE merge_request_id = $1 AND system ORDER BY id',
      [id],
    );
    return rows.map(({ body }) => body);
  }

  /** A commit status, by which the commit gets a pipeline. */
  report(sha: string, state: string, ref = 'topic') {
    return this.app.as(this.developer).post(`/projects/${this.project.id}/statuses/${sha}`, { state, ref });
  }

  private async nextIid(): Promise<number> {
    const { rows } = await this.app.database.query<{ iid: number }>(
      'SELECT coalesce(max(iid), 0)::integer + 1 AS iid FROM merge_requests WHERE project_id = $1',
      [this.project.id],
    );
    return rows[0]?.iid ?? 1;
  }
}
