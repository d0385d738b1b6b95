import { Injectable } from '@nestjs/common';
import { HookRecords, Repositories, type Project } from '../../repository/repository.api';
import { DiscussedCommitsRepository } from './discussed-commits.repository';
import type { HookThing } from './hook-thing';

/** Looks up commits that notes are on. */
@Injectable()
export class CommitHookThings {
  constructor(
    private readonly commits: DiscussedCommitsRepository,
    private readonly repositories: Repositories,
    private readonly records: HookRecords,
  ) {}

  /** By the row that stands for it; null where that is gone. */
  async find(project: Project, id: number): Promise<HookThing | null> {
    const discussed = await this.commits.findById(id);
    if (!discussed) return null;
    const { sha } = discussed;
    // It may have been overwritten since somebody wrote on it.
    const attributes = async (): Promise<object | null> => {
      const commit = await this.repositories.open(project).commit(sha);
      return commit && this.records.commit(project, commit);
    };
    return { name: 'commit', page: `commit/${sha}`, isConfidential: false, sha, attributes };
  }
}
