import { signedIn, type Actor } from '#libs/access';
import type { PushHandler, PushProposal, PushRefusal, RefUpdate } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { PushRights } from '../changes/push-rights';
import { RefMoves } from '../changes/ref-moves.service';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import { PushRules } from '../push-rules/push-rules.service';
import { ARCHIVED } from './git-access.service';
import { refusalOf } from './push-decision';

/** What `git push -o` says for it. */
const SKIP_PIPELINES = 'ci.skip';

/** An accepted push whose refs are being moved by git. */
interface Underway {
  readonly project: Project;
  readonly intent: number;
}

/** Judges pushes and carries them out under the repository's lock. */
@Injectable()
export class ProjectPushes {
  constructor(
    private readonly moves: RefMoves,
    private readonly rights: PushRights,
    private readonly projects: ProjectsRepository,
    private readonly pushRules: PushRules,
  ) {}

  /** For one push. The lock is taken by `decide` and, when the push is accepted, given back by `finished`. */
  handler(actor: Actor, projectId: number): PushHandler {
    const ended = deferred<readonly RefUpdate[] | null>();
    let work: Promise<void> = Promise.resolve();
    return {
      decide: (proposal) =>
        new Promise((answer, fail) => {
          work = this.moves.locked({ id: projectId }, async () => {
            const underway = await this.begin(actor, projectId, proposal);
            if ('message' in underway) return answer(underway);
            answer(null);
            const updates = await ended.promise;
            // Nobody knows whether refs have moved: the intent stays, and recovery looks.
            if (updates === null) return;
            const skipsPipelines = proposal.pushOptions.includes(SKIP_PIPELINES);
            const pushed = { actor: signedIn(actor), source: 'push', updates, skipsPipelines } as const;
            await this.moves.record({ ...underway, ...pushed });
          });
          work.catch(fail);
        }),
      finished: (moved) => {
        ended.resolve(moved);
        return work;
      },
    };
  }

  /** Reads the project anew: while the objects came, its rules and its default branch may have changed. */
  private async begin(
    actor: Actor,
    projectId: number,
    proposal: PushProposal,
  ): Promise<Underway | PushRefusal> {
    const found = await this.projects.findWithRules(projectId);
    if (!found) return { message: 'The project is gone.' };
    const { project, pushRule: rule } = found;
    if (project.archived) return { message: ARCHIVED };
    const { updates, incoming: reader } = proposal;
    const user = signedIn(actor);
    const rights = await this.rights.branches(actor, project, found.rules);
    const message =
      (await refusalOf({ actor, project, ...rights }, proposal)) ??
      (await this.pushRules.refusalOf({ rule, project, user, updates, reader, made: null }));
    if (message !== null) return { message };
    return { project, intent: await this.moves.begin(project, user, 'push', updates) };
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function deferred<T>(): Deferred<T> {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}
