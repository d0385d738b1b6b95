import type { Visibility } from '#libs/access';
import type { Test } from 'supertest';
import type { ApiClient } from './api-client';
import type { TestApplication } from './application';
import type { BuiltProject, BuiltUser } from './builders';

type Role = 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner';
export type AccessRow = Record<`${'anonymous' | 'stranger'} ${Visibility}` | Role | 'admin', number>;
/** One request to a project of the cast; `turn` differs each time, for names that must be new. */
export type Attempt = (api: ApiClient, project: BuiltProject, turn: number) => Test;

/** The people and projects of the access matrix: members of every role in a private project, and everybody else. */
export class Cast {
  private turn = 0;

  private constructor(
    private readonly app: TestApplication,
    readonly users: Record<Role | 'stranger' | 'admin', BuiltUser>,
    readonly projects: Record<Visibility, BuiltProject>,
  ) {}

  /** Projects with these files on the protected branch master. */
  static async of(app: TestApplication, files: Readonly<Record<string, string>>): Promise<Cast> {
    const user = () => app.build.user();
    const members = {
      guest: await user(),
      reporter: await user(),
      developer: await user(),
      maintainer: await user(),
      owner: await user(),
    };
    const project = (visibility: Visibility) => app.build.project({ visibility, files, members });
    const projects = {
      public: await project('public'),
      internal: await project('internal'),
      private: await project('private'),
    };
    const users = { ...members, stranger: await user(), admin: await app.build.user({ admin: true }) };
    return new Cast(app, users, projects);
  }

  /** The status that each of them gets. */
  async row(attempt: Attempt): Promise<AccessRow> {
    const status = async (visibility: Visibility, user?: BuiltUser): Promise<number> => {
      const api = user ? this.app.as(user) : this.app.api;
      return (await attempt(api, this.projects[visibility], (this.turn += 1))).status;
    };
    const { guest, reporter, developer, maintainer, owner, admin } = this.users;
    return {
      'anonymous public': await status('public'),
      'anonymous internal': await status('internal'),
      'anonymous private': await status('private'),
      'stranger public': await status('public', this.users.stranger),
      'stranger internal': await status('internal', this.users.stranger),
      'stranger private': await status('private', this.users.stranger),
      guest: await status('private', guest),
      reporter: await status('private', reporter),
      developer: await status('private', developer),
      maintainer: await status('private', maintainer),
      owner: await status('private', owner),
      admin: await status('private', admin),
    };
  }
}

/** What anonymous callers and strangers get where a public project shows a thing, and a private one hides itself. */
export const READ_ROW: AccessRow = {
  'anonymous public': 200,
  'anonymous internal': 404,
  'anonymous private': 404,
  'stranger public': 200,
  'stranger internal': 200,
  'stranger private': 404,
  guest: 403,
  reporter: 200,
  developer: 200,
  maintainer: 200,
  owner: 200,
  admin: 200,
};

/** What they get where developers may write. */
export const writeRow = (success: number): AccessRow => ({
  'anonymous public': 401,
  'anonymous internal': 404,
  'anonymous private': 404,
  'stranger public': 403,
  'stranger internal': 403,
  'stranger private': 404,
  guest: 403,
  reporter: 403,
  developer: success,
  maintainer: success,
  owner: success,
  admin: success,
});
