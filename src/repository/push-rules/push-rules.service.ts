import type { ActorUser } from '#libs/access';
import { ZERO_SHA, type Commit, type GitReader, type RefUpdate, type Sha } from '#libs/git';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { EmailAddresses } from '../../identity/identity.api';
import { CommitSignatures } from '../commits/signatures/commit-signatures.service';
import type { Project } from '../projects/project.entity';
import { activeRule, looksAtCommits, looksAtPaths, type ActiveRule } from './active-rule';
import { commitRefusal } from './commit-rules';
import { Pace } from './pace';
import { pathRefusal } from './path-rules';
import type { PushRule } from './push-rule.entity';
import { refRefusal } from './ref-rules';
import { UncheckablePush } from './uncheckable-push';

/** One push may bring so many commits to a project whose rule asks about them. */
const MOST_COMMITS = 50_000;
/** So many are looked at together. */
const BATCH = 500;
const MEBIBYTE = 1024 * 1024;

/** What is about to change in a repository, by a push or through the API. */
export interface Push {
  /** The project's rule as it is under the lock; null where it has none. */
  readonly rule: PushRule | null;
  readonly project: Pick<Project, 'defaultBranch'>;
  readonly user: Pick<ActorUser, 'id'>;
  readonly updates: readonly RefUpdate[];
  /** Sees what comes beside what is there; no ref has moved yet. */
  readonly reader: Pick<GitReader, 'commits' | 'newBlobAbove' | 'newCommits' | 'newPaths' | 'signature'>;
  /** A commit that the service itself has made for the user: it knows whose it is, and signs none. */
  readonly made: Sha | null;
}

/** The one judge of what push rules say, on every way in which users change branches and tags. */
@Injectable()
export class PushRules {
  constructor(
    private readonly license: License,
    private readonly addresses: EmailAddresses,
    private readonly signatures: CommitSignatures,
  ) {}

  /**
   * The sentence with which the project's push rule refuses the push, null where it may be. Only commits, files and
   * names that are new to the repository are looked at.
   */
  async refusalOf(push: Push): Promise<string | null> {
    if (push.rule === null || !this.license.has('push_rules')) return null;
    try {
      const refusal = await this.judge(push, activeRule(push.rule, this.license));
      return refusal && printable(refusal);
    } catch (error) {
      if (error instanceof UncheckablePush) return printable(error.message);
      throw error;
    }
  }

  private async judge(push: Push, rule: ActiveRule): Promise<string | null> {
    for (const update of push.updates) {
      const refusal = refRefusal(rule, update, push.project.defaultBranch);
      if (refusal !== null) return refusal;
    }
    const tips = [...new Set(push.updates.map(({ newSha }) => newSha))].filter((sha) => sha !== ZERO_SHA);
    if (tips.length === 0) return null;
    return (await this.commitsRefusal(push, rule, tips)) ?? sizeRefusal(push, rule, tips);
  }

  private async commitsRefusal(push: Push, rule: ActiveRule, tips: readonly Sha[]): Promise<string | null> {
    if (!looksAtCommits(rule) && !looksAtPaths(rule)) return null;
    const shas = await push.reader.newCommits(tips, MOST_COMMITS + 1);
    if (shas.length > MOST_COMMITS)
      throw new UncheckablePush(
        `A push of more than ${MOST_COMMITS} commits cannot be checked. Push them in parts`,
      );
    const pace = new Pace();
    const refusal = looksAtCommits(rule) ? await this.saidRefusal(push, rule, shas, pace) : null;
    return refusal ?? (looksAtPaths(rule) ? pathsRefusal(push, rule, shas, pace) : null);
  }

  /** Oldest first, so that the first mistake is told of. */
  private async saidRefusal(
    push: Push,
    rule: ActiveRule,
    shas: readonly Sha[],
    pace: Pace,
  ): Promise<string | null> {
    const own = new Set(rule.wantsOwnCommits ? await this.addresses.confirmedOf(push.user.id) : []);
    const oldestFirst = shas.toReversed();
    for (let from = 0; from < oldestFirst.length; from += BATCH) {
      const commits = await push.reader.commits(oldestFirst.slice(from, from + BATCH));
      const users = rule.wantsUsers
        ? await this.addresses.confirmed(commits.flatMap(addressesIn))
        : new Set<string>();
      for (const commit of commits) {
        await pace.step();
        const refusal =
          commitRefusal(rule, commit, { own, users }) ?? (await this.signatureRefusal(push, rule, commit));
        if (refusal !== null) return refusal;
      }
    }
    return null;
  }

  /** The key need not be known here; where it is, the signature must be its. */
  private async signatureRefusal(
    { reader, made }: Push,
    rule: ActiveRule,
    commit: Commit,
  ): Promise<string | null> {
    if (!rule.wantsSignatures || commit.sha === made) return null;
    const signature = await this.signatures.of(reader, commit);
    const isSigned = signature !== null && signature.status !== 'unverified';
    return isSigned ? null : 'Commit must be signed with a GPG key';
  }
}

async function pathsRefusal(
  { reader }: Push,
  rule: ActiveRule,
  shas: readonly Sha[],
  pace: Pace,
): Promise<string | null> {
  for await (const { path } of reader.newPaths(shas)) {
    await pace.step();
    const refusal = pathRefusal(rule, path);
    if (refusal !== null) return refusal;
  }
  return null;
}

async function sizeRefusal(
  { reader }: Push,
  { mostMegabytes }: ActiveRule,
  tips: readonly Sha[],
): Promise<string | null> {
  if (mostMegabytes === null) return null;
  const found = await reader.newBlobAbove(tips, mostMegabytes * MEBIBYTE);
  return found && `File "${found.path}" is larger than the allowed size of ${mostMegabytes} MB`;
}

/** Names come from strangers, and go to a terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?');

const addressesIn = ({ author, committer }: Commit): string[] => [author.email, committer.email];
