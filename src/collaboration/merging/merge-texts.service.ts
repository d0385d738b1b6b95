import type { GitRepository, Person, Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { ActingUsers, personOf, Repositories, type Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { ClosedReferencesRepository } from './closed-references.repository';
import { mergeCommitMessage, squashCommitMessage } from './merge-messages';

/** Messages of so many commits, the newest, are looked at. */
const MOST_COMMITS = 1_000;

interface Change {
  readonly project: Project;
  readonly mergeRequest: MergeRequest;
  readonly head: Sha;
  readonly target: Sha;
}

/** The words of merges that nobody has put into words. */
@Injectable()
export class MergeTexts {
  constructor(
    private readonly closed: ClosedReferencesRepository,
    private readonly repositories: Repositories,
    private readonly users: ActingUsers,
  ) {}

  async mergeCommitMessage({ project, mergeRequest }: Change): Promise<string> {
    const { sourceBranch, targetBranch, title, iid } = mergeRequest;
    const reference = `${project.fullPath}!${iid}`;
    const author = await this.actingAuthor(mergeRequest);
    const issues = await this.closed.of(mergeRequest.id, author?.user ?? null);
    const closes = issues.map(({ path, iid: number }) => `${shortPath(path, project.fullPath)}#${number}`);
    return mergeCommitMessage({ sourceBranch, targetBranch, title, closes, reference });
  }

  async squashCommitMessage(
    repository: GitRepository,
    { mergeRequest, head, target }: Change,
  ): Promise<string> {
    const commits = await repository.log({ from: head, not: target, skip: 0, limit: MOST_COMMITS });
    return squashCommitMessage(commits, mergeRequest.title);
  }

  /** Null where they are gone, or may do nothing here any more. */
  async author(mergeRequest: MergeRequest): Promise<Person | null> {
    const author = await this.actingAuthor(mergeRequest);
    return author?.user ? personOf(author.user) : null;
  }

  /** Everything in which the change may say that it closes an issue. */
  async closingText(
    project: Project,
    { title, description, headSha, baseSha }: MergeRequest,
  ): Promise<string> {
    const repository = this.repositories.open(project);
    const query = { from: headSha ?? '', not: baseSha ?? '', skip: 0, limit: MOST_COMMITS };
    const commits = headSha !== null && baseSha !== null ? await repository.log(query) : [];
    return [title, description ?? '', ...commits.map(({ message }) => message)].join('\n\n');
  }

  private actingAuthor({ authorId, projectId }: MergeRequest) {
    return authorId === null ? Promise.resolve(null) : this.users.find(authorId, { id: projectId });
  }
}

/** How a project is named in another one: not at all in itself, by its own path in the same namespace. */
function shortPath(path: string, from: string): string {
  if (path === from) return '';
  const namespace = from.slice(0, from.lastIndexOf('/') + 1);
  const rest = path.slice(namespace.length);
  return path.startsWith(namespace) && !rest.includes('/') ? rest : path;
}
