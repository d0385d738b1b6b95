import type { Actor } from './actor';
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

/** Pipelines tell of refs and commits, which only a repository that shows has. */
const builds: Policy<ProjectFacts> = both(feature('jobsAccess'), feature('repositoryAccess'));

const live: Policy<ProjectFacts> = (_actor, project) => !project.archived;

/** Merge requests show code, so that they are for nobody whom the code is not for. */
const mergeRequests = both<ProjectFacts>(feature('mergeRequestsAccess'), feature('repositoryAccess'));

/** There is something that labels and milestones can be put on. */
const plannable = either<ProjectFacts>(feature('issuesAccess'), mergeRequests);

/** What somebody outside may push to in part: its code is theirs to read, and it is not private. */
const borrowable = both<ProjectFacts>(
  signedInUser,
  live,
  (_actor, project) => project.visibility !== 'private',
  feature('repositoryAccess'),
  either(openToCaller, atLeast('reporter')),
);

const pushable = both<ProjectFacts>(live, feature('repositoryAccess'), atLeast('developer'));

const seesJobs: Policy<ProjectFacts> = either(
  atLeast('reporter'),
  (_actor: Actor, project: ProjectFacts) => project.publicJobs,
);

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
  push_code: pushable,
  /** Branches that open merge requests lend to whoever may merge them; which ones, services find out. */
  borrow_branches: borrowable,
  /** There may be a branch that they can commit to, be it a lent one. */
  commit_somewhere: either<ProjectFacts>(pushable, borrowable),
  /** Pipelines show to whoever sees the code, and to guests where the project's jobs are public. */
  read_pipelines: both<ProjectFacts>(
    signedInUser,
    visible,
    builds,
    either<ProjectFacts>(openToCaller, atLeast('reporter'), (_actor, project) => project.publicJobs),
  ),
  read_pipeline_variables: both<ProjectFacts>(visible, builds, atLeast('developer')),
  /** Making, retrying and canceling pipelines; protected refs ask for more. */
  run_pipelines: both<ProjectFacts>(visible, live, builds, atLeast('developer')),
  delete_pipelines: both<ProjectFacts>(visible, live, builds, atLeast('owner')),
  /** Jobs show more than pipelines: to people outside, and to guests, only where the project has them public. */
  read_jobs: both<ProjectFacts>(signedInUser, visible, builds, seesJobs),
  /** Also without signing in, where the project shows itself to everybody. */
  read_artifacts: both<ProjectFacts>(visible, builds, seesJobs),
  delete_artifacts: both<ProjectFacts>(visible, live, builds, atLeast('maintainer')),
  /** Other systems report statuses of projects that have no jobs of their own, too. */
  read_commit_status: both<ProjectFacts>(
    signedInUser,
    visible,
    feature('repositoryAccess'),
    either<ProjectFacts>((_actor, project) => project.jobsAccess !== 'private', atLeast('guest')),
    either(openToCaller, atLeast('reporter')),
  ),
  create_commit_status: both<ProjectFacts>(live, feature('repositoryAccess'), atLeast('developer')),
  read_issues: both<ProjectFacts>(visible, feature('issuesAccess')),
  /** Whoever sees the issues may add one. */
  create_issues: both<ProjectFacts>(signedInUser, visible, live, feature('issuesAccess')),
  /** Labels, assignees, milestones and all else that sorts issues. */
  admin_issues: both<ProjectFacts>(visible, live, feature('issuesAccess'), atLeast('reporter')),
  delete_issues: both<ProjectFacts>(visible, live, feature('issuesAccess'), atLeast('owner')),
  read_merge_requests: both<ProjectFacts>(visible, mergeRequests, either(openToCaller, atLeast('reporter'))),
  /** Whoever reads the code of the target may propose a change to it. */
  propose_merge_requests: both<ProjectFacts>(
    signedInUser,
    visible,
    live,
    mergeRequests,
    either(openToCaller, atLeast('reporter')),
  ),
  /** Labels, assignees, milestones and all else that sorts merge requests. */
  admin_merge_requests: both<ProjectFacts>(visible, live, mergeRequests, atLeast('developer')),
  delete_merge_requests: both<ProjectFacts>(visible, live, mergeRequests, atLeast('owner')),
  /** To whoever takes part in a merge request, its author for one. */
  take_part_in_merge_requests: both<ProjectFacts>(
    signedInUser,
    visible,
    live,
    mergeRequests,
    either(openToCaller, atLeast('reporter')),
  ),
  read_labels: both<ProjectFacts>(visible, plannable),
  manage_labels: both<ProjectFacts>(visible, live, plannable, atLeast('reporter')),
  read_milestones: both<ProjectFacts>(visible, plannable),
  manage_milestones: both<ProjectFacts>(visible, live, plannable, atLeast('developer')),
  read_wiki: both<ProjectFacts>(visible, feature('wikiAccess')),
  write_wiki: both<ProjectFacts>(visible, live, feature('wikiAccess'), atLeast('developer')),
  delete_wiki_pages: both<ProjectFacts>(visible, live, feature('wikiAccess'), atLeast('maintainer')),
  read_snippets: both<ProjectFacts>(visible, feature('snippetsAccess')),
  create_snippets: both<ProjectFacts>(visible, live, feature('snippetsAccess'), atLeast('reporter')),
  /** A reaction to what the caller sees. */
  award_emoji: both<ProjectFacts>(signedInUser, visible, live),
} satisfies Record<string, Policy<ProjectFacts>>;

export type ProjectAbility = keyof typeof PROJECT_POLICY;
