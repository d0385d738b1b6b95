import { mutuallyExclusive, params, wire } from '#libs/http';

/** Twice what the largest known clients send in one request. */
const MOST_ACTIONS = 20_000;

export const ListCommits = params({
  ref_name: wire.text().optional().describe('Branch, tag or commit; the default branch by default'),
  since: wire.dateTime().optional(),
  until: wire.dateTime().optional(),
  path: wire.text().optional(),
  author: wire.text().optional().describe('Text to look for in "Name <email>"'),
  all: wire.boolean().default(false).describe('Every commit of the repository'),
  with_stats: wire.boolean().default(false),
});

export const CommitPath = params({ sha: wire.text().describe('Commit hash, or a branch or tag name') });

export const ReadCommit = CommitPath.extend({ stats: wire.boolean().default(true) });

export const CommitRefs = CommitPath.extend({ type: wire.oneOf(['branch', 'tag', 'all']).default('all') });

export const ApplyCommit = CommitPath.extend({ branch: wire.text({ blank: false }) });

export const CommitAction = params({
  action: wire.oneOf(['create', 'delete', 'move', 'update', 'chmod']),
  file_path: wire.text({ blank: false }),
  previous_path: wire.text().optional().describe('Only for move'),
  content: wire.content().optional(),
  encoding: wire.oneOf(['text', 'base64']).optional(),
  last_commit_id: wire.text().optional().describe('Considered for update, move, delete and chmod'),
  execute_filemode: wire.boolean().optional().describe('Only for chmod'),
});

export const CreateCommit = params(
  {
    branch: wire.text({ blank: false }),
    commit_message: wire.text({ blank: false }),
    start_branch: wire.text().optional(),
    start_sha: wire.text().optional(),
    start_project: wire.idOrPath().optional(),
    actions: wire.list(CommitAction, { min: 1, max: MOST_ACTIONS }),
    author_email: wire.text().optional(),
    author_name: wire.text().optional(),
    stats: wire.boolean().default(true),
    force: wire.boolean().default(false),
  },
  mutuallyExclusive('start_branch', 'start_sha'),
);
