import { ZERO_SHA, type GitRepository, type RefUpdate } from '#libs/git';
import { defineQueue, JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository } from '../projects/projects.repository';
import { Repositories } from '../storages/repositories';
import { RefIntentsRepository, type RefIntent } from './ref-intents.repository';
import { RefMoves } from './ref-moves.service';

const recovery = defineQueue<object>('repository.recover_ref_intents', {
  expireInSeconds: 300,
  everyMinutes: 1,
  onePerKey: true,
});

/** Longer than a push may hold its lock between the note and the record. */
const ABANDONED_AFTER_SECONDS = 600;
const MOST_AT_ONCE = 100;

/**
 * Finds moves of refs that were noted and never recorded, because a process died in between, and records those that
 * did take effect. Idempotent: a note is taken back in the transaction that records it.
 */
@Injectable()
export class RefIntentRecovery extends JobHandler {
  readonly queue = recovery;

  constructor(
    private readonly intents: RefIntentsRepository,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
  ) {
    super();
  }

  async run(): Promise<void> {
    for (const intent of await this.intents.abandoned(ABANDONED_AFTER_SECONDS, MOST_AT_ONCE)) {
      await this.moves.locked({ id: intent.projectId }, () => this.settle(intent));
    }
  }

  private async settle(intent: RefIntent): Promise<void> {
    const project = await this.projects.find(intent.projectId);
    if (!project) return void (await this.intents.forget(intent.id));
    const repository = this.repositories.open(project);
    const moved: RefUpdate[] = [];
    for (const update of intent.updates) if (await tookEffect(repository, update)) moved.push(update);
    const actor = intent.actorId === null ? null : { id: intent.actorId };
    await this.moves.record(project, actor, intent.source, moved, intent.id);
  }
}

/** The ref is where it was to go, or somebody went on from there. */
async function tookEffect(repository: GitRepository, { ref, newSha }: RefUpdate): Promise<boolean> {
  const current = await repository.ref(ref);
  if (newSha === ZERO_SHA) return current === null;
  if (current === null || current === newSha) return current === newSha;
  return (await repository.commit(newSha)) !== null && repository.isAncestor(newSha, current);
}
