import { GitFixture } from '#libs/testing';
import type { Visibility } from '#libs/access';
import type { TestApplication } from './application';
import type { BuiltProject, BuiltUser } from './builders';
import { lines } from './merging-scene';

/** A merge request that was made through the API. */
export interface ForkedMergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly url: string;
  readonly head: string;
  readonly branch: string;
}

type People = Readonly<Record<'maintainer' | 'helper' | 'developer' | 'author' | 'stranger', BuiltUser>>;

let branches = 0;

/** A project with a protected `master` of one file `f`, and a fork of it by somebody who is no member there. */
export class ForkScene {
  readonly maintainer: BuiltUser;
  /** Another maintainer of the target. */
  readonly helper: BuiltUser;
  /** Of the target. */
  readonly developer: BuiltUser;
  /** Owns the fork. */
  readonly author: BuiltUser;
  readonly stranger: BuiltUser;

  private constructor(
    private readonly app: TestApplication,
    readonly target: BuiltProject,
    readonly fork: BuiltProject,
    readonly git: { readonly target: GitFixture; readonly fork: GitFixture },
    people: People,
  ) {
    this.maintainer = people.maintainer;
    this.helper = people.helper;
    this.developer = people.developer;
    this.author = people.author;
    this.stranger = people.stranger;
  }

  static async set(
    app: TestApplication,
    columns: Readonly<Record<string, unknown>> = {},
    visibility: Visibility = 'public',
  ): Promise<ForkScene> {
    const { build } = app;
    const [maintainer, helper, developer] = [await build.user(), await build.user(), await build.user()];
    const [author, stranger] = [await build.user(), await build.user()];
    const members = { maintainer, developer };
    const files = { f: lines() };
    const target = await build.project({ owner: maintainer, visibility, members, files, columns });
    const fork = await build.project({ owner: author, visibility, columns, files: { other: 'x' } });
    const git = { target: GitFixture.on(target.repositoryPath), fork: GitFixture.on(fork.repositoryPath) };
    await git.fork.git('fetch', '-q', target.repositoryPath, '+refs/heads/master:refs/heads/master');
    const people = { maintainer, helper, developer, author, stranger };
    const scene = new ForkScene(app, target, fork, git, people);
    await build.member('project', target.id, helper, 'maintainer');
    if (visibility !== 'public') await build.member('project', target.id, author, 'reporter');
    await scene.relate();
    return scene;
  }

  /** Makes the one a fork of the other. */
  async relate(): Promise<void> {
    await this.app.as(this.author).post(`/projects/${this.fork.id}/fork/${this.target.id}`).expect(201);
  }

  /** A branch of the fork with a commit that replaces line 8, and these files besides. */
  async branch(
    name = `topic-${(branches += 1)}`,
    files: Readonly<Record<string, string>> = {},
  ): Promise<{ branch: string; head: string }> {
    const head = await this.git.fork.commit({
      branch: name,
      parents: [this.target.tip],
      files: { f: lines({ 8: name }), ...files },
      message: `Work on ${name}\n`,
    });
    return { branch: name, head };
  }

  /** A merge request of a new branch of the fork into the target's `master`. */
  async propose(
    params: object = {},
    files: Readonly<Record<string, string>> = {},
  ): Promise<ForkedMergeRequest> {
    const { branch, head } = await this.branch(undefined, files);
    const { body } = await this.app
      .as(this.author)
      .post(`/projects/${this.fork.id}/merge_requests`, {
        source_branch: branch,
        target_branch: 'master',
        target_project_id: this.target.id,
        title: `Merge ${branch}`,
        ...params,
      })
      .expect(201);
    const url = `/projects/${this.target.id}/merge_requests/${body.iid}`;
    return { id: body.id, iid: body.iid, url, head, branch };
  }

  /** A file made on a branch of the fork through the API; answers the status and what was said. */
  async commit(user: BuiltUser, branch: string): Promise<[number, unknown]> {
    const { status, body } = await this.app.as(user).post(`/projects/${this.fork.id}/repository/commits`, {
      branch,
      commit_message: 'By somebody else',
      actions: [{ action: 'create', file_path: `by-${(branches += 1)}`, content: 'x' }],
    });
    return [status, body.message];
  }

  tip(branch: string): Promise<string> {
    return this.git.fork.git('rev-parse', '--verify', `refs/heads/${branch}`);
  }

  async set(project: BuiltProject, columns: Readonly<Record<string, unknown>>): Promise<void> {
    const names = Object.keys(columns);
    await this.app.database.query(
      `UPDATE projects SET ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} WHERE id = $1`,
      [project.id, ...Object.values(columns)],
    );
  }
}
