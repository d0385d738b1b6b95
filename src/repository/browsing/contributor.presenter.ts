import type { ContributorStats } from '#libs/git';
import { field, presenter } from '#libs/presenting';

const ContributorRecord = field.object({
  name: field.string(),
  email: field.string(),
  commits: field.int(),
  additions: field.int(),
  deletions: field.int(),
});

export const presentContributor = presenter(
  ContributorRecord,
  ({ name, email, commits, additions, deletions }: ContributorStats) => ({
    name,
    email,
    commits,
    additions,
    deletions,
  }),
);
