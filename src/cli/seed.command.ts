import { Level, type Actor } from '#libs/access';
import { parseParams } from '#libs/http';
import type { INestApplicationContext } from '@nestjs/common';
import {
  Accounts,
  CreateGroup,
  groupMembers,
  Groups,
  Members,
  Namespaces,
  Users,
  type User,
} from '../identity/identity.api';
import {
  CommitMaking,
  CreateCommit,
  CreateProject,
  ProjectCreation,
  type Project,
} from '../repository/repository.api';
import { actingAs, requireUser } from './acting-user';
import type { Command } from './command';
import { GROUP, PEOPLE, PROJECTS } from './demonstration';

export const seed: Command = {
  name: 'seed',
  summary: 'Fills an installation with a little demonstration data: users, a group, projects with commits.',
  options: { as: { meaning: 'username of an administrator', default: 'root' } },
  async run(application, input) {
    if (await application.get(Namespaces).find(GROUP.path))
      return `There is a group ${GROUP.path} already: nothing was done.`;
    const operator = actingAs(await requireUser(application, input.option('as')));
    const people = await Promise.all(PEOPLE.map((person) => account(application, person)));
    const groupId = await foundGroup(application, operator, people);
    for (const project of PROJECTS) await fill(application, operator, groupId, people, project);
    const paths = PROJECTS.map(({ path }) => `${GROUP.path}/${path}`).join(', ');
    return `Users ${PEOPLE.map(({ username }) => username).join(', ')} and projects ${paths} are there.`;
  },
};

/** The account of an earlier, interrupted run is taken as it is. */
async function account(application: INestApplicationContext, person: (typeof PEOPLE)[number]): Promise<User> {
  const known = await application.get(Users).find(person.username);
  const email = `${person.username}@example.com`;
  return (
    known ??
    application.get(Accounts).open({ ...person, email, password: null, isAdmin: false, isConfirmed: true })
  );
}

async function foundGroup(
  application: INestApplicationContext,
  operator: Actor,
  people: readonly User[],
): Promise<number> {
  const wanted = parseParams(CreateGroup, { ...GROUP, visibility: 'public' });
  const { group } = await application.get(Groups).create(operator, wanted);
  for (const { id } of people) {
    await application
      .get(Members)
      .add(operator, groupMembers(group), { user_id: id, access_level: Level.maintainer });
  }
  return group.id;
}

async function fill(
  application: INestApplicationContext,
  operator: Actor,
  groupId: number,
  people: readonly User[],
  { commits, ...settings }: (typeof PROJECTS)[number],
): Promise<void> {
  const wanted = parseParams(CreateProject, { ...settings, namespace_id: groupId });
  const { project } = await application.get(ProjectCreation).create(operator, wanted);
  for (const commit of commits) await make(application, project, people, commit);
}

async function make(
  application: INestApplicationContext,
  project: Project,
  people: readonly User[],
  { by, branch, message, files }: (typeof PROJECTS)[number]['commits'][number],
): Promise<void> {
  const author = people[by];
  if (!author) throw new Error(`nobody has the number ${by}`);
  const wanted = parseParams(CreateCommit, {
    branch,
    commit_message: message,
    actions: Object.entries(files).map(([path, content]) => ({ action: 'create', file_path: path, content })),
    ...(branch !== 'master' && { start_branch: 'master' }),
  });
  await application
    .get(CommitMaking)
    .create({ ...actingAs(author), level: Level.maintainer }, project, wanted);
}
