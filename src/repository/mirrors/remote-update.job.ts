import { JobHandler, type JobRun } from '#libs/jobs';
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
    if (error === undefined) return;
    const retryCount = error === null ? 0 : remote.retryCount + 1;
    const nextUpdateAt = project.mirror ? nextUpdate(retryCount) : null;
    await this.remotes.finish(run, {
      error: error && error.slice(0, MOST_CHARACTERS),
      retryCount,
      nextUpdateAt,
    });
  }

  /** Null when all went well, a sentence for the users when not, undefined where there is nobody to tell. */
  private async update(
    project: Project,
    { run, remote }: { run: RemoteRun; remote: ClaimedRemote },
    signal: AbortSignal,
  ): Promise<string | null | undefined> {
    if (remote.isImported && (!project.mirror || project.archived)) {
      // A mirror that was turned off, or a project that is read-only, while its update waited.
      return null;
    }
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
      if (error instanceof OutdatedUpdate) return undefined;
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
}
