import { field, presenter } from '#libs/presenting';
import { presentCommit } from '../commits/commit.presenter';
import { presentDiff } from '../commits/diff.presenter';
import type { Comparison } from './comparison';

const ComparisonRecord = field.object({
  commit: presentCommit.record.nullable(),
  commits: field.array(presentCommit.record),
  diffs: field.array(presentDiff.record),
  compare_timeout: field.boolean(),
  compare_same_ref: field.boolean(),
});

export const presentComparison = presenter(ComparisonRecord, (comparison: Comparison, view) => {
  const commits = comparison.commits.map((commit) => presentCommit(commit, view));
  return {
    commit: commits.at(-1) ?? null,
    commits,
    diffs: comparison.diffs.map((diff) => presentDiff(diff, view)),
    compare_timeout: comparison.isCut,
    compare_same_ref: comparison.isSameCommit,
  };
});
