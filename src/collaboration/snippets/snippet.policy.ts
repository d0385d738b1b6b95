import { administrator, atLeast, openToCaller, type Actor, type ProjectFacts } from '#libs/access';
import type { Snippet } from './snippet.entity';

type SnippetFacts = Pick<Snippet, 'authorId' | 'visibility'>;

const isAuthor = (actor: Actor, { authorId }: SnippetFacts): boolean =>
  actor.user !== null && actor.user.id === authorId;

/**
 * For whoever sees the project and its snippets: members see all of them, others what its visibility shows. Of personal
 * snippets nobody is a member.
 */
export const canReadSnippet = (actor: Actor, snippet: SnippetFacts): boolean =>
  openToCaller(actor, snippet) || atLeast('guest')(actor, snippet) || isAuthor(actor, snippet);

export const canChangeProjectSnippet = (
  actor: Actor,
  project: Pick<ProjectFacts, 'archived'>,
  snippet: SnippetFacts,
): boolean => !project.archived && (isAuthor(actor, snippet) || atLeast('maintainer')(actor, snippet));

export const canChangePersonalSnippet = (actor: Actor, snippet: SnippetFacts): boolean =>
  isAuthor(actor, snippet) || administrator(actor, snippet);
