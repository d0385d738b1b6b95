import type { BlameRange } from '#libs/git';
import type { BlamedFile } from './file';
import { fileHeaders } from './file.presenter';
import { field, presentGitTime, presenter } from '#libs/presenting';

const BlameRangeRecord = field.object({
  commit: field.object({
    id: field.string(),
    message: field.string(),
    parent_ids: field.array(field.string()),
    authored_date: field.string(),
    author_name: field.string(),
    author_email: field.string(),
    committed_date: field.string(),
    committer_name: field.string(),
    committer_email: field.string(),
  }),
  lines: field.array(field.string()),
});

const rangeOf = ({ commit, lines }: BlameRange) => ({
  commit: {
    id: commit.sha,
    message: commit.message,
    parent_ids: [...commit.parents],
    authored_date: presentGitTime(commit.author),
    author_name: commit.author.name,
    author_email: commit.author.email,
    committed_date: presentGitTime(commit.committer),
    committer_name: commit.committer.name,
    committer_email: commit.committer.email,
  },
  lines: [...lines],
});

export const presentBlame = presenter(field.array(BlameRangeRecord), ({ ranges }: BlamedFile) =>
  ranges.map(rangeOf),
);

export const blameHeaders = ({ file }: BlamedFile): Record<string, string> => fileHeaders(file);
