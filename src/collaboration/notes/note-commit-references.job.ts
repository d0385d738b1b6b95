import { Database } from '#libs/database';
import { DomainError } from '#libs/errors';
import { JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { commitReferences, type CommitReferencesJob } from './commit-references.queue';
import { DiscussedCommitsRepository } from './discussed-commits.repository';
import { mentionedIn, mentionedInCommit } from './mention-wording';
import type { Place } from './mention-targets.repository';
import { NamedCommits, type FoundCommit } from './named-commits.service';
import { SystemNotesRepository } from './system-notes.repository';

/**
 * Leaves "mentioned in issue #1" on commits that a text names, as far as its author reads their code. Idempotent: a commit
 * has one mention of each source.
 */
@Injectable()
export class NoteCommitReferences extends JobHandler<CommitReferencesJob> {
  readonly queue = commitReferences;

  constructor(
    private readonly database: Database,
    private readonly named: NamedCommits,
    private readonly commits: DiscussedCommitsRepository,
    private readonly systemNotes: SystemNotesRepository,
  ) {
    super();
  }

  async run(job: CommitReferencesJob, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    for (const commit of await this.named.find(job.authorId, job.commits, signal)) {
      signal.throwIfAborted();
      if (!isItself(job, commit)) await this.mention(job, commit);
    }
  }

  private mention(job: CommitReferencesJob, { project, sha }: FoundCommit): Promise<void> {
    const { about, authorId } = job;
    const body = wordsOf(job, { projectId: project.id, namespaceId: project.namespaceId });
    return this.database
      .transaction(async () => {
        const { id } = await this.commits.take(project.id, sha);
        await this.systemNotes.mention([{ on: { kind: 'Commit', id }, authorId, body, about }]);
      })
      .catch((error: unknown) => {
        // What named the commit, or its project, has been deleted meanwhile: there is nothing to tell.
        if (!(error instanceof DomainError && error.detail.kind === 'not_found')) throw error;
      });
  }
}

const isItself = ({ about }: CommitReferencesJob, { project, sha }: FoundCommit): boolean =>
  about.kind === 'Commit' && about.projectId === project.id && about.sha === sha;

const wordsOf = ({ about, source }: CommitReferencesJob, where: Place): string =>
  about.kind === 'Commit'
    ? mentionedInCommit(about.sha, source, where)
    : mentionedIn(about.kind, { ...source, iid: source.iid ?? about.id }, where);
