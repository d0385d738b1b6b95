import {
  atLeast,
  both,
  either,
  openToCaller,
  signedInUser,
  visible,
  type FeatureAccess,
  type Policy,
  type ProjectFacts,
} from './policy';

type FeatureName = {
  [K in keyof ProjectFacts]: ProjectFacts[K] extends FeatureAccess ? K : never;
}[keyof ProjectFacts];

/** The feature is on, and not for members alone unless the caller is one. */
const feature =
  (name: FeatureName): Policy<ProjectFacts> =>
  (actor, project) =>
    project[name] === 'enabled' || (project[name] === 'private' && atLeast('guest')(actor, project));

const live: Policy<ProjectFacts> = (_actor, project) => !project.archived;

/** Abilities over a project; the access matrix of the reference, row by row. */
export const PROJECT_POLICY = {
  reader: visible,
  guest: both(visible, atLeast('guest')),
  reporter: both(visible, atLeast('reporter')),
  developer: both(visible, atLeast('developer')),
  maintainer: both(visible, atLeast('maintainer')),
  owner: both(visible, atLeast('owner')),
  /** Guests of a private project may not see its code. */
  download_code: both<ProjectFacts>(
    visible,
    feature('repositoryAccess'),
    either(openToCaller, atLeast('reporter')),
  ),
  comment_on_commits: both<ProjectFacts>(
    signedInUser,
    live,
    feature('repositoryAccess'),
    either(openToCaller, atLeast('reporter')),
  ),
  /** Files for the texts of a project, which whoever may write one needs. */
  upload_files: both<ProjectFacts>(signedInUser, visible, live),
  push_code: both<ProjectFacts>(live, feature('repositoryAccess'), atLeast('developer')),
  /** Pipelines show to whoever sees the code, and to guests where the project's jobs are public. */
  read_pipelines: both<ProjectFacts>(
    signedInUser,
    visible,
    feature('jobsAccess'),
    either<ProjectFacts>(openToCaller, atLeast('reporter'), (_actor, project) => project.publicJobs),
  ),
  read_commit_status: both<ProjectFacts>(signedInUser, visible, either(openToCaller, atLeast('reporter'))),
  create_commit_status: both<ProjectFacts>(live, atLeast('developer')),
  read_merge_requests: both<ProjectFacts>(
    visible,
    feature('mergeRequestsAccess'),
    either(openToCaller, atLeast('reporter')),
  ),
} satisfies Record<string, Policy<ProjectFacts>>;

export type ProjectAbility = keyof typeof PROJECT_POLICY;
