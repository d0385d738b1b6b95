import type { Commit, FileDiff } from '#libs/git';
import { COUNT_LIMIT, offsetOf, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Repositories, type Project } from '../../repository/repository.api';
import type { DiffRefs } from '../merge-requests/merge-request.entity';
import { VersionReading } from './version-reading.service';

/** Commits of a version that are listed at once. */
const MOST_LISTED = 1_000;

/** What is in a version of a change. Nothing is where there is none, or maintenance has taken its commits. */
@Injectable()
export class VersionContents {
  constructor(
    private readonly repositories: Repositories,
    private readonly reading: VersionReading,
  ) {}

  /** Newest first. */
  async commits(project: Project, refs: DiffRefs | null, page: PageRequest): Promise<Page<Commit>> {
    const range = refs && (await this.reading.range(project, refs));
    if (!range) return { rows: [], total: 0, hasNext: false };
    const repository = this.repositories.open(project);
    const found = await repository.log({ ...range, skip: offsetOf(page), limit: page.perPage + 1 });
    const count = await repository.countCommits(range, COUNT_LIMIT + 1);
    return {
      rows: found.slice(0, page.perPage),
      total: count > COUNT_LIMIT ? null : count,
      hasNext: found.length > page.perPage,
    };
  }

  allCommits(project: Project, refs: DiffRefs): Promise<Commit[]> {
    return this.reading.commits(project, refs, MOST_LISTED);
  }

  async diffs(project: Project, refs: DiffRefs | null): Promise<FileDiff[]> {
    const range = refs && (await this.reading.range(project, refs));
    return range ? this.repositories.open(project).diffBetween(refs.baseSha, refs.headSha) : [];
  }
}
