import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import type { ShownSnippet } from './shown-snippet';
import type { Snippet } from './snippet.entity';

/** Puts together what the records of snippets tell: one query, however many there are. */
@Injectable()
export class ShownSnippets {
  constructor(private readonly users: UserDirectory) {}

  /** Of one project, or personal ones. */
  async of(snippets: readonly Snippet[], project: Pick<Project, 'fullPath'> | null): Promise<ShownSnippet[]> {
    const authors = await this.users.byIds(snippets.map(({ authorId }) => authorId));
    return snippets.map((snippet) => ({
      snippet,
      author: authors.get(snippet.authorId ?? 0) ?? null,
      projectPath: project?.fullPath ?? null,
    }));
  }

  async one(snippet: Snippet, project: Pick<Project, 'fullPath'> | null): Promise<ShownSnippet> {
    const [shown] = await this.of([snippet], project);
    if (!shown) throw new Error('one snippet gives one record');
    return shown;
  }
}
