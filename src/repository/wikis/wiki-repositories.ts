import { Git, type GitRepository, type Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { branchRef } from '../changes/ref-moves.service';
import { Repositories } from '../storages/repositories';
import type { StoredRepository } from '../storages/storages';

/** The only branch of wikis that is looked at. */
export const WIKI_BRANCH = 'master';
export const WIKI_REF = branchRef(WIKI_BRANCH);

/** Where a project's wiki lies: beside its repository. */
export const wikiOf = ({ repositoryStorage, diskPath }: StoredRepository): StoredRepository => ({
  repositoryStorage,
  diskPath: `${diskPath}.wiki`,
});

/** A wiki with the commit that it shows. */
export interface OpenWiki {
  readonly repository: GitRepository;
  readonly tip: Sha;
}

/** The git data of wikis. A wiki comes into being with its first page. */
@Injectable()
export class WikiRepositories {
  constructor(
    private readonly git: Git,
    private readonly repositories: Repositories,
  ) {}

  exists(project: StoredRepository): Promise<boolean> {
    return this.git.exists(this.repositories.locate(wikiOf(project)));
  }

  /** Null for a wiki without pages. */
  async open(project: StoredRepository): Promise<OpenWiki | null> {
    if (!(await this.exists(project))) return null;
    const repository = this.repositories.open(wikiOf(project));
    const tip = await repository.ref(WIKI_REF);
    return tip === null ? null : { repository, tip };
  }

  /** For a write; makes the repository where there is none. The caller holds the project's lock. */
  async openForWriting(project: StoredRepository): Promise<{ repository: GitRepository; tip: Sha | null }> {
    const location = this.repositories.locate(wikiOf(project));
    if (!(await this.git.exists(location))) await this.git.create(location, WIKI_BRANCH);
    const repository = this.repositories.open(wikiOf(project));
    return { repository, tip: await repository.ref(WIKI_REF) };
  }
}
