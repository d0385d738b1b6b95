import path from 'node:path';
import { VISIBILITIES } from '#libs/access';
import { RepositoryImport } from '../repository/repository.api';
import { actingAs, requireUser } from './acting-user';
import { UsageError, type Command } from './command';

export const importProject: Command = {
  name: 'import-project',
  summary: 'Makes a project of a bare repository on this machine.',
  options: {
    repository: { meaning: 'its directory' },
    namespace: { meaning: 'full path of the user or group that owns the project' },
    name: { meaning: "the project's name; that of the directory when empty", default: '' },
    visibility: { meaning: VISIBILITIES.join(', '), default: 'private' },
    as: { meaning: 'username of the creator', default: 'root' },
  },
  async run(application, input) {
    const source = path.resolve(input.option('repository'));
    const visibility = VISIBILITIES.find((known) => known === input.option('visibility'));
    if (!visibility) throw new UsageError(`--visibility must be one of ${VISIBILITIES.join(', ')}`);
    const actor = actingAs(await requireUser(application, input.option('as')));
    const project = await application.get(RepositoryImport).run(actor, {
      source,
      namespace: input.option('namespace'),
      name: input.option('name') || path.basename(source, '.git'),
      visibility,
    });
    return `Project ${project.fullPath} has id ${project.id}.`;
  },
};
