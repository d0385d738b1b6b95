import { atLeastOneOf, params, wire } from '#libs/http';

const MOST_PEOPLE = 100;
const LONGEST_BRANCH = 1024;

export const MergeRequestPath = params({ merge_request_iid: wire.integer() });

export const ReadMergeRequest = MergeRequestPath.extend({
  include_diverged_commits_count: wire.boolean().default(false),
  include_rebase_in_progress: wire.boolean().default(false),
  render_html: wire.boolean().default(false),
});

/** What can be given to a new merge request, and be changed of it later. */
const OPTIONAL = {
  description: wire.text().optional().nullable(),
  assignee_id: wire.integer({ min: 0 }).optional().nullable().describe('0 for nobody'),
  assignee_ids: wire.integers({ max: MOST_PEOPLE }).optional().describe('More than one: starter'),
  labels: wire.commaSeparated({ max: MOST_PEOPLE }).optional().describe('Titles, between commas'),
  milestone_id: wire.integer({ min: 0 }).optional().nullable().describe('0 for none'),
  remove_source_branch: wire.boolean().optional(),
  allow_collaboration: wire.boolean().optional().describe('Of forks'),
  allow_maintainer_to_push: wire.boolean().optional().describe('The older name of `allow_collaboration`'),
  squash: wire.boolean().optional(),
  approvals_before_merge: wire.integer({ min: 0, max: 10_000 }).optional().nullable().describe('Starter'),
};

export const CreateMergeRequest = params({
  title: wire.text(),
  source_branch: wire.text({ blank: false, max: LONGEST_BRANCH }),
  target_branch: wire.text({ blank: false, max: LONGEST_BRANCH }),
  target_project_id: wire.integer({ min: 1 }).optional().describe('The project itself by default'),
  ...OPTIONAL,
});

export const UpdateMergeRequest = params(
  {
    merge_request_iid: wire.integer(),
    title: wire.text({ blank: false }).optional(),
    target_branch: wire.text({ blank: false, max: LONGEST_BRANCH }).optional(),
    state_event: wire.oneOf(['close', 'reopen']).optional(),
    discussion_locked: wire.boolean().optional(),
    ...OPTIONAL,
  },
  atLeastOneOf(
    'assignee_id',
    'assignee_ids',
    'description',
    'labels',
    'milestone_id',
    'remove_source_branch',
    'state_event',
    'target_branch',
    'title',
    'discussion_locked',
    'squash',
    'allow_collaboration',
    'allow_maintainer_to_push',
    'approvals_before_merge',
  ),
);

export const VersionPath = MergeRequestPath.extend({ version_id: wire.integer() });
export const LabelEventPath = MergeRequestPath.extend({ event_id: wire.integer() });
export const TimeChange = MergeRequestPath.extend({
  duration: wire.text({ blank: false, max: 255 }).describe('As people write it: "3h30m"'),
});
