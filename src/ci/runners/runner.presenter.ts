import { field, presenter, presentOptionalTime, type View } from '#libs/presenting';
import type { Runner } from './runner.entity';
import type { RegisteredRunner, RunnerDetails } from './runner-details';

export const presentRegisteredRunner = presenter(
  field.object({ id: field.int(), token: field.string() }),
  ({ runner, token }: RegisteredRunner) => ({ id: runner.id, token }),
);

const RunnerFields = {
  id: field.int(),
  description: field.string(),
  ip_address: field.string().nullable(),
  active: field.boolean(),
  is_shared: field.boolean(),
  name: field.string().nullable(),
  online: field.boolean().nullable(),
  status: field.string(),
};

export const RunnerRecord = field.object(RunnerFields);

export const presentRunner = presenter(RunnerRecord, (runner: Runner) => {
  const now = new Date();
  return {
    id: runner.id,
    description: runner.description,
    ip_address: runner.ipAddress,
    active: runner.active,
    is_shared: runner.kind === 'instance',
    name: runner.name,
    online: runner.contactedAt === null ? null : runner.isOnline(now),
    status: runner.status(now),
  };
});

const ServedProject = field.object({
  id: field.int(),
  name: field.string(),
  name_with_namespace: field.string(),
  path: field.string(),
  path_with_namespace: field.string(),
});

const ServedGroup = field.object({ id: field.int(), web_url: field.string(), name: field.string() });

/** The reference shows the runner's token here; this service keeps only its digest. */
const RunnerDetailsRecord = field.object({
  ...RunnerFields,
  tag_list: field.array(field.string()),
  run_untagged: field.boolean(),
  locked: field.boolean(),
  maximum_timeout: field.int().nullable(),
  access_level: field.string(),
  version: field.string().nullable(),
  revision: field.string().nullable(),
  platform: field.string().nullable(),
  architecture: field.string().nullable(),
  contacted_at: field.string().nullable(),
  projects: field.array(ServedProject),
  groups: field.array(ServedGroup),
});

export const presentRunnerDetails = presenter(
  RunnerDetailsRecord,
  ({ runner, projects, groups }: RunnerDetails, view: View) => ({
    ...presentRunner(runner, view),
    tag_list: runner.tagList,
    run_untagged: runner.runUntagged,
    locked: runner.locked,
    maximum_timeout: runner.maximumTimeout,
    access_level: runner.accessLevel,
    version: runner.version,
    revision: runner.revision,
    platform: runner.platform,
    architecture: runner.architecture,
    contacted_at: presentOptionalTime(runner.contactedAt),
    projects: projects.map(({ id, name, path, fullPath, fullName }) => ({
      id,
      name,
      name_with_namespace: fullName,
      path,
      path_with_namespace: fullPath,
    })),
    groups: groups.map(({ id, name, fullPath }) => ({
      id,
      web_url: view.urls.web(`groups/${fullPath}`),
      name,
    })),
  }),
);
