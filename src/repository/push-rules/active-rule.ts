import type { License } from '#libs/tiers';
import { PushPattern } from './push-pattern';
import type { PushRule } from './push-rule.entity';

/** A push rule as it is enforced: patterns compiled, what is not licensed left out. */
export interface ActiveRule {
  readonly deniesTagDeletion: boolean;
  readonly branchName: PushPattern | null;
  readonly message: PushPattern | null;
  readonly forbiddenMessage: PushPattern | null;
  readonly email: PushPattern | null;
  readonly wantsUsers: boolean;
  readonly wantsOwnCommits: boolean;
  readonly wantsSignatures: boolean;
  readonly fileName: PushPattern | null;
  readonly preventsSecrets: boolean;
  /** Mebibytes; null for any size. */
  readonly mostMegabytes: number | null;
}

export function activeRule(rule: PushRule, license: License): ActiveRule {
  return {
    deniesTagDeletion: rule.denyDeleteTag,
    branchName: PushPattern.of(rule.branchNameRegex),
    message: PushPattern.of(rule.commitMessageRegex, 'lines'),
    forbiddenMessage: PushPattern.of(rule.commitMessageNegativeRegex, 'lines'),
    email: PushPattern.of(rule.authorEmailRegex),
    wantsUsers: rule.memberCheck,
    wantsOwnCommits: rule.commitCommitterCheck && license.has('commit_committer_check'),
    wantsSignatures: rule.rejectUnsignedCommits && license.has('reject_unsigned_commits'),
    fileName: PushPattern.of(rule.fileNameRegex),
    preventsSecrets: rule.preventSecrets,
    mostMegabytes: rule.maxFileSize === 0 ? null : rule.maxFileSize,
  };
}

export const looksAtCommits = (rule: ActiveRule): boolean =>
  rule.message !== null ||
  rule.forbiddenMessage !== null ||
  rule.email !== null ||
  rule.wantsUsers ||
  rule.wantsOwnCommits ||
  rule.wantsSignatures;

export const looksAtPaths = (rule: ActiveRule): boolean => rule.fileName !== null || rule.preventsSecrets;
