import { JobHandler, type JobRun } from '#libs/jobs';
import { License } from '#libs/tiers';
import { Injectable, Logger } from '@nestjs/common';
import { SealedTexts } from '../../identity/identity.api';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import { IMPORT_URL } from './mirror-settings.service';
import { remoteUpdates } from './remote-update.queues';
import { RemoteUpdates } from './remote-updates.service';
import { RemotesRepository, type ClaimedRemote, type RemoteRun } from './remotes.repository';
import { OutdatedUpdate, sentenceOf } from './update-failure';
import { nextUpdate } from './update-times';

const MINUTE_MS = 60_000;
const MOST_CHARACTERS = 2_000;
const UNFORESEEN = 'The update failed for a reason that only the log of the server tells.';

/**
 * Imports a project from its remote, or brings a mirror up to date. Idempotent: what is here already stays as it is,
 * and a run whose claim was lost changes nothing any more.
 */
@Injectable()
export class UpdateFromRemote extends JobHandler<{ readonly projectId: number }> {
  readonly queue = remoteUpdates;
  private readonly logger = new Logger(UpdateFromRemote.name);

  constructor(
    private readonly remotes: RemotesRepository,
    private readonly projects: ProjectsRepository,
    private readonly updates: RemoteUpdates,
    private readonly sealed: SealedTexts,
    private readonly license: License,
  ) {
    super();
  }

  async run({ projectId }: { readonly projectId: number }, { id, signal }: JobRun): Promise<void> {
    const run = { projectId, id };
    const project = await this.projects.find(projectId);
    if (!project) return;
    const remote = await this.remotes.claim(run);
    // Another run has it: the schedule asks again.
    if (!remote) return this.remotes.postpone(projectId, new Date(Date.now() + MINUTE_MS));
    const error = await this.update(project, { run, remote }, signal);
    const retryCount = error === null ? 0 : remote.retryCount + 1;
    const nextUpdateAt = project.mirror ? nextUpdate(retryCount) : null;
    await this.remotes.finish(run, {
      error: error && error.slice(0, MOST_CHARACTERS),
      retryCount,
      nextUpdateAt,
    });
  }

  /** Null when all went well, or came to nothing because nobody wants it any more; a sentence for the users when not. */
  private async update(
    project: Project,
    { run, remote }: { run: RemoteRun; remote: ClaimedRemote },
    signal: AbortSignal,
  ): Promise<string | null> {
    if (remote.isImported && !this.isMirrored(project)) return null;
    try {
      await this.updates.update(
        project,
        {
          url: this.sealed.open(IMPORT_URL, remote.sealedUrl),
          isImport: !remote.isImported,
          isStillWanted: () => this.remotes.isClaimedBy(run),
        },
        signal,
      );
      return null;
    } catch (error) {
      if (error instanceof OutdatedUpdate) return null;
      // The process stops: the job runs again elsewhere.
      if (signal.aborted) throw error;
      const sentence = sentenceOf(error);
      if (sentence === null)
        this.logger.error(
          { err: error, projectId: project.id },
          'an update from a remote failed unexpectedly',
        );
      else this.logger.warn({ err: error, projectId: project.id }, 'an update from a remote failed');
      return sentence ?? UNFORESEEN;
    }
  }

  /** It may have been turned off, or the project archived, while the update waited. */
  private isMirrored({ mirror, archived }: Project): boolean {
    return mirror && !archived && this.license.has('pull_mirrors');
  }
}
