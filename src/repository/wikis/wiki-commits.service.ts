import type { ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { Events } from '#libs/events';
import { ZERO_SHA, type FileAction, type GitRepository, type Sha } from '#libs/git';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { personOf } from '../changes/branch-commits.service';
import { RefMoves } from '../changes/ref-moves.service';
import { refusedCommit } from '../changes/refused-commit';
import { upkeepAfter } from '../maintenance/upkeep.queues';
import type { Project } from '../projects/project.entity';
import { titleOf, type WikiFile } from './wiki-page';
import { wikiPageChanged, type WikiAction } from './wiki-page-changed.event';
import { WIKI_REF, WikiRepositories } from './wiki-repositories';

/** What is to become of a page, seen from the wiki as it is under the lock. */
export interface WikiChange {
  readonly user: ActorUser;
  readonly project: Project;
  /** Throws where the caller may not, with the project as it is under the lock. */
  readonly check: (current: Project) => void;
  readonly action: WikiAction;
  readonly plan: (
    repository: GitRepository,
    tip: Sha | null,
  ) => Promise<{ readonly file: WikiFile; readonly actions: readonly FileAction[] }>;
}

const DONE: Record<WikiAction, string> = { create: 'created', update: 'updated', delete: 'deleted' };

/** Makes commits in wikis, one at a time for each project. */
@Injectable()
export class WikiCommits {
  constructor(
    private readonly database: Database,
    private readonly moves: RefMoves,
    private readonly wikis: WikiRepositories,
    private readonly events: Events,
    private readonly jobs: Jobs,
  ) {}

  /** Throws what check and plan throw, and 400 for what git refuses. */
  commit({ user, project, check, action, plan }: WikiChange): Promise<void> {
    return this.moves.lockedAnew(project, check, async (current) => {
      const { repository, tip } = await this.wikis.openForWriting(current);
      const { file, actions } = await plan(repository, tip);
      const person = personOf(user);
      const message = `${user.username} ${DONE[action]} page: ${titleOf(file)}`;
      const commit = { base: tip, actions, message, author: person, committer: person, allowEmpty: true };
      const sha = await repository.createCommit(commit).catch((error: unknown) => refusedCommit(error));
      await this.tell(current, user, action, file, sha);
      await repository.updateRefs([{ ref: WIKI_REF, oldSha: tip ?? ZERO_SHA, newSha: sha }]);
    });
  }

  /**
   * Before the branch moves: a crash after that would lose the event. Whoever is told asks under the same lock whether
   * the commit is there.
   */
  private async tell(
    { id: projectId }: Project,
    { id: actorId }: ActorUser,
    action: WikiAction,
    { slug, format, path }: WikiFile,
    sha: Sha,
  ): Promise<void> {
    await this.database.transaction(async () => {
      await this.events.emit(wikiPageChanged, { projectId, actorId, action, slug, format, path, sha });
      await this.jobs.enqueueAll([upkeepAfter(projectId, 0).counting]);
    });
  }
}
