import { Events } from '#libs/events';
import { ZERO_SHA, type GitRepository, type RefUpdate } from '#libs/git';
import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository';
import { Repositories } from '../storages/repositories';
import { RefIntentsRepository, type RefIntent } from './ref-intents.repository';
import { RefMoves } from './ref-moves.service';
import { refsUpdated } from './refs-updated.event';

const recovery = defineQueue<object>('repository.recover_ref_intents', {
  expireInSeconds: 300,
  everyMinutes: 1,
  onePerKey: true,
});

/** What a live request notes it settles itself, in most cases within this time. */
const LEFT_ALONE_SECONDS = 60;
/** Longer than a push may hold its lock between the note and the record. */
const ABANDONED_AFTER_MS = 10 * 60_000;
const PAGE = 100;
/** A repository that is busy now is looked at again in the next run. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Finds moves of refs that were noted and never recorded, because a process died in between, and records those that
 * did take effect. Idempotent: a note is taken back in the transaction that records it.
 */
@Injectable()
export class RefIntentRecovery extends JobHandler {
  readonly queue = recovery;
  private readonly logger = new Logger(RefIntentRecovery.name);

  constructor(
    private readonly intents: RefIntentsRepository,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
    private readonly events: Events,
  ) {
    super();
  }

  /** Those that cannot be settled now (their repository is busy, or away) keep none of the others waiting. */
  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    let lastId = 0;
    let page: readonly RefIntent[];
    do {
      page = await this.intents.olderThan(LEFT_ALONE_SECONDS, lastId, PAGE);
      for (const intent of page) {
        if (signal.aborted) return;
        await this.trySettling(intent);
        lastId = intent.id;
      }
    } while (page.length === PAGE);
  }

  private async trySettling(intent: RefIntent): Promise<void> {
    const { projectId } = intent;
    try {
      await this.moves.locked({ id: projectId }, () => this.settle(intent), LOCK_TIMEOUT_MS);
    } catch (error) {
      this.logger.warn({ err: error, projectId }, 'a move of refs could not be settled yet');
    }
  }

  private async settle(intent: RefIntent): Promise<void> {
    const project = await this.projects.find(intent.projectId);
    if (!project) return void (await this.intents.forget(intent.id));
    const repository = this.repositories.open(project);
    const moved: RefUpdate[] = [];
    for (const update of intent.updates) if (await tookEffect(repository, update)) moved.push(update);
    // Who noted it has the lock, and has lost it only when its connection broke: it may still be at work.
    const isAbandoned = Date.now() - intent.notedAt.getTime() > ABANDONED_AFTER_MS;
    if (moved.length < intent.updates.length && !isAbandoned) return;
    const actor = intent.actorId === null ? null : { id: intent.actorId };
    const updates = await this.untold(intent, moved);
    await this.moves.record({ project, actor, source: intent.source, updates, intent: intent.id });
  }

  /** Whose push broke off tries it again: then the same move has been told already, as that of the second try. */
  private async untold({ projectId, notedAt }: RefIntent, moved: readonly RefUpdate[]): Promise<RefUpdate[]> {
    const untold: RefUpdate[] = [];
    for (const update of moved) {
      const told = await this.events.wasEmitted(refsUpdated, notedAt, { projectId, updates: [update] });
      if (!told) untold.push(update);
    }
    return untold;
  }
}

/** The ref is where it was to go, or somebody went on from there. */
async function tookEffect(repository: GitRepository, { ref, newSha }: RefUpdate): Promise<boolean> {
  const current = await repository.ref(ref);
  if (newSha === ZERO_SHA) return current === null;
  if (current === null || current === newSha) return current === newSha;
  return (await repository.commit(newSha)) !== null && repository.isAncestor(newSha, current);
}
