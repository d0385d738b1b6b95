export const TIERS = ['core', 'starter', 'premium', 'ultimate'] as const;
export type Tier = (typeof TIERS)[number];

/** The lowest tier that has each feature. Code asks for a feature, never for a tier. */
const FEATURES = {
  shared_runner_minutes: 'starter',
  admin_notes: 'starter',
  burndown_charts: 'starter',
  issue_links: 'starter',
  issue_weights: 'starter',
  multiple_assignees: 'starter',
  push_rules: 'starter',
  pull_mirrors: 'starter',
  member_lock: 'starter',
  protected_refs_for_users: 'starter',
  merge_request_approvers: 'starter',
  group_burndown_charts: 'premium',
  job_token_api: 'premium',
  multiple_approval_rules: 'premium',
  scoped_labels: 'premium',
  custom_file_templates: 'premium',
  commit_committer_check: 'premium',
  reject_unsigned_commits: 'premium',
  checksum_filters: 'premium',
  group_scim: 'premium',
  epics: 'ultimate',
  security_reports: 'ultimate',
} as const satisfies Record<string, Tier>;

export type Feature = keyof typeof FEATURES;

/** What this installation is licensed for. */
export class License {
  constructor(readonly tier: Tier) {}

  has(feature: Feature): boolean {
    return TIERS.indexOf(this.tier) >= TIERS.indexOf(FEATURES[feature]);
  }
}
