import type { Commit } from '#libs/git';
import type { ActiveRule } from './active-rule';

/** What is known of the e-mail addresses in the commits of a push, all in lower case. */
export interface KnownAddresses {
  /** Those of them that are confirmed as some user's; empty where the rule does not ask. */
  readonly users: ReadonlySet<string>;
  /** The confirmed ones of whoever pushes; empty where the rule does not ask. */
  readonly own: ReadonlySet<string>;
}

/** The sentence with which the rule refuses a commit for what it says and by whom; null where it lets it be. */
export function commitRefusal(rule: ActiveRule, commit: Commit, known: KnownAddresses): string | null {
  return messageRefusal(rule, commit) ?? emailRefusal(rule, commit) ?? personRefusal(rule, commit, known);
}

function messageRefusal({ message, forbiddenMessage }: ActiveRule, commit: Commit): string | null {
  if (message && !message.fits(commit.message))
    return `Commit message does not follow the pattern '${message.source}'`;
  if (forbiddenMessage?.fits(commit.message))
    return `Commit message contains the forbidden pattern '${forbiddenMessage.source}'`;
  return null;
}

function emailRefusal({ email }: ActiveRule, { author, committer }: Commit): string | null {
  if (email === null) return null;
  if (!email.fits(committer.email))
    return `Committer's email '${committer.email}' does not follow the pattern '${email.source}'`;
  if (!email.fits(author.email))
    return `Author's email '${author.email}' does not follow the pattern '${email.source}'`;
  return null;
}

function personRefusal(
  rule: ActiveRule,
  { author, committer }: Commit,
  known: KnownAddresses,
): string | null {
  if (rule.wantsOwnCommits && !known.own.has(committer.email.toLowerCase())) {
    return (
      `You cannot push commits for '${committer.email}'. ` +
      'You can only push commits that were committed with one of your own verified emails.'
    );
  }
  if (!rule.wantsUsers) return null;
  if (!known.users.has(author.email.toLowerCase())) return `Author '${author.email}' is not a member of team`;
  if (!known.users.has(committer.email.toLowerCase()))
    return `Committer '${committer.email}' is not a member of team`;
  return null;
}
