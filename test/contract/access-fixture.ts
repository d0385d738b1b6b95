import { execFileSync } from 'node:child_process';
import { VISIBILITIES, type Visibility } from '#libs/access';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../support/builders';
import type { TestApplication } from '../support/application';
import { plantInGroup, plantInProject, type PlantedThings } from './planted-things';

const LEVELS = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const;

/** Who calls, in the order of the matrix's columns. */
export const CALLERS = ['anonymous', 'stranger', ...LEVELS, 'admin', 'wrong-scope'] as const;
export type CallerName = (typeof CALLERS)[number];

/** Everybody who calls, and what they call upon. */
export interface AccessFixture {
  readonly tokens: ReadonlyMap<CallerName, string | null>;
  readonly someone: BuiltUser;
  readonly member: BuiltUser;
  readonly projects: ReadonlyMap<Visibility, BuiltProject>;
  readonly groups: ReadonlyMap<Visibility, BuiltGroup>;
  /** What stands in the project and in the group of each visibility. */
  readonly planted: ReadonlyMap<
    Visibility,
    { readonly project: PlantedThings; readonly group: PlantedThings }
  >;
}

/** One project and one group of each visibility, each with a member of every level. */
export async function buildAccessFixture(application: TestApplication): Promise<AccessFixture> {
  const { build } = application;
  const members = {
    guest: await build.user(),
    reporter: await build.user(),
    developer: await build.user(),
    maintainer: await build.user(),
    owner: await build.user(),
  };
  const admin = await build.user({ admin: true });
  const someone = await build.user();
  const tokens = new Map<CallerName, string | null>([
    ['anonymous', null],
    ['stranger', someone.token],
    ...LEVELS.map((level): [CallerName, string] => [level, members[level].token]),
    ['admin', admin.token],
    ['wrong-scope', await build.token(members.owner, ['write_repository'])],
  ]);
  const projects = new Map<Visibility, BuiltProject>();
  const groups = new Map<Visibility, BuiltGroup>();
  const planted = new Map<Visibility, { project: PlantedThings; group: PlantedThings }>();
  for (const visibility of VISIBILITIES) {
    const group = await build.group({ visibility, members });
    groups.set(visibility, group);
    const project = await build.project({ visibility, members, files: { 'README.md': 'Read me\n' } });
    execFileSync('git', ['-C', project.repositoryPath, 'tag', 'v1', 'master']);
    projects.set(visibility, project);
    planted.set(visibility, {
      project: await plantInProject(application, project, someone),
      group: await plantInGroup(application, group, someone),
    });
  }
  return { tokens, someone, member: members.developer, projects, groups, planted };
}
