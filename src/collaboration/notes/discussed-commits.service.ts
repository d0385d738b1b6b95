import { PROJECT_POLICY, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import type { Discussed } from './discussed';
import { DiscussedCommitsRepository } from './discussed-commits.repository';
import { rightsIn } from './rights-in-project';

/** No row has it: what nobody has said anything about has no notes. */
const NO_ROW = 0;

type DiscussedCommit = Discussed & { readonly sha: string };

/** Commits as something that is discussed, for callers who may read the code. */
@Injectable()
export class DiscussedCommits {
  constructor(
    private readonly repositories: Repositories,
    private readonly commits: DiscussedCommitsRepository,
  ) {}

  /** What was said about the commit that a branch, a tag or a hash names. Throws "404 Commit Not Found". */
  async find(actor: Actor, project: Project, name: string): Promise<DiscussedCommit> {
    const { sha } = await requireCommit(this.repositories.open(project), name);
    const row = await this.commits.find(project.id, sha);
    return discussed(actor, project, sha, row?.id ?? NO_ROW);
  }

  /** The same for whoever is about to say the first thing; who may say nothing leaves nothing behind. */
  async take(actor: Actor, project: Project, name: string): Promise<Discussed> {
    const on = await this.find(actor, project, name);
    if (on.ref.id !== NO_ROW || !on.mayComment) return on;
    const { id } = await this.commits.take(project.id, on.sha);
    return { ...on, ref: { ...on.ref, id } };
  }
}

const discussed = (actor: Actor, project: Project, sha: string, id: number): DiscussedCommit => ({
  ref: { kind: 'Commit', id },
  iid: null,
  sha,
  authorId: null,
  ...rightsIn(project, actor, false),
  mayComment: PROJECT_POLICY.comment_on_commits(actor, project),
});
