import { field, presenter, presentTime } from '#libs/presenting';
import type { PushRule } from './push-rule.entity';

const PushRuleRecord = field.object({
  id: field.int(),
  project_id: field.int(),
  commit_message_regex: field.string().nullable(),
  commit_message_negative_regex: field.string().nullable(),
  branch_name_regex: field.string().nullable(),
  deny_delete_tag: field.boolean(),
  created_at: field.string(),
  member_check: field.boolean(),
  prevent_secrets: field.boolean(),
  author_email_regex: field.string().nullable(),
  file_name_regex: field.string().nullable(),
  max_file_size: field.int(),
  commit_committer_check: field.boolean().optional(),
  reject_unsigned_commits: field.boolean().optional(),
});

export const presentPushRule = presenter(PushRuleRecord, (rule: PushRule, { license }) => ({
  id: rule.id,
  project_id: rule.projectId,
  commit_message_regex: rule.commitMessageRegex,
  commit_message_negative_regex: rule.commitMessageNegativeRegex,
  branch_name_regex: rule.branchNameRegex,
  deny_delete_tag: rule.denyDeleteTag,
  created_at: presentTime(rule.createdAt),
  member_check: rule.memberCheck,
  prevent_secrets: rule.preventSecrets,
  author_email_regex: rule.authorEmailRegex,
  file_name_regex: rule.fileNameRegex,
  max_file_size: rule.maxFileSize,
  ...(license.has('commit_committer_check') && { commit_committer_check: rule.commitCommitterCheck }),
  ...(license.has('reject_unsigned_commits') && { reject_unsigned_commits: rule.rejectUnsignedCommits }),
}));
