import { atLeastOneOf, params, wire } from '#libs/http';

export const PushRulePath = params({ id: wire.idOrPath().describe('Id or path of the project') });

const pattern = (about: string) => wire.text().nullable().optional().describe(`Pattern (RE2): ${about}`);

const FIELDS = {
  deny_delete_tag: wire.boolean().optional().describe('Tags cannot be deleted'),
  member_check: wire.boolean().optional().describe('Authors and committers must be users of the service'),
  prevent_secrets: wire.boolean().optional().describe('Files that are likely to hold secrets are rejected'),
  commit_message_regex: pattern('all commit messages must match'),
  commit_message_negative_regex: pattern('no commit message may match'),
  branch_name_regex: pattern('all branch names must match'),
  author_email_regex: pattern('the e-mail addresses of all authors and committers must match'),
  file_name_regex: pattern('no name of a new or renamed file may match'),
  max_file_size: wire.integer().optional().describe('Greatest size of a file in MB; 0 for any'),
  commit_committer_check: wire
    .boolean()
    .optional()
    .describe('Committers must be whoever pushes, with an address that is confirmed (premium)'),
  reject_unsigned_commits: wire.boolean().optional().describe('Commits must be signed (premium)'),
};

/** At least one is given, as the reference asks. */
export const ChangePushRule = PushRulePath.extend(FIELDS, atLeastOneOf(...Object.keys(FIELDS)));
