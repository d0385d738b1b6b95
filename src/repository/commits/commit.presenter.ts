import type { Commit, Stats } from '#libs/git';
import { field, presentGitTime, presenter } from '#libs/presenting';
import { titleOf, type CommitDetails, type ListedCommit } from './commit';

const CommitFields = {
  id: field.string(),
  short_id: field.string(),
  title: field.string(),
  author_name: field.string(),
  author_email: field.string(),
  authored_date: field.string(),
  committer_name: field.string(),
  committer_email: field.string(),
  committed_date: field.string(),
  created_at: field.string(),
  message: field.string(),
  parent_ids: field.array(field.string()),
};

const StatsRecord = field.object({ additions: field.int(), deletions: field.int(), total: field.int() });

const CommitRecord = field.object(CommitFields);

/** First eight digits, as the reference shortens. */
const SHORT_LENGTH = 8;

const commitFields = (commit: Commit) => ({
  id: commit.sha,
  short_id: commit.sha.slice(0, SHORT_LENGTH),
  title: titleOf(commit),
  author_name: commit.author.name,
  author_email: commit.author.email,
  authored_date: presentGitTime(commit.author),
  committer_name: commit.committer.name,
  committer_email: commit.committer.email,
  committed_date: presentGitTime(commit.committer),
  created_at: presentGitTime(commit.committer),
  message: commit.message,
  parent_ids: [...commit.parents],
});

const statsFields = ({ additions, deletions }: Stats) => ({
  additions,
  deletions,
  total: additions + deletions,
});

/** The plain record, as branches, tags and comparisons carry it. */
export const presentCommit = presenter(CommitRecord, commitFields);

const ListedCommitRecord = field.object({ ...CommitFields, stats: StatsRecord.optional() });

export const presentListedCommit = presenter(ListedCommitRecord, ({ commit, stats }: ListedCommit) => ({
  ...commitFields(commit),
  ...(stats && { stats: statsFields(stats) }),
}));

const CommitDetailsRecord = field.object({
  ...CommitFields,
  stats: StatsRecord.optional(),
  status: field.string().nullable(),
  project_id: field.int(),
  last_pipeline: field
    .object({ id: field.int(), ref: field.string().nullable(), sha: field.string(), status: field.string() })
    .nullable(),
});

export const presentCommitDetails = presenter(CommitDetailsRecord, (details: CommitDetails) => ({
  ...commitFields(details.commit),
  ...(details.stats && { stats: statsFields(details.stats) }),
  status: details.lastPipeline?.status ?? null,
  project_id: details.projectId,
  last_pipeline: details.lastPipeline,
}));
