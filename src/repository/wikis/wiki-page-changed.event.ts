import { defineEvent } from '#libs/events';
import type { WikiFormat } from './wiki-page';

export const WIKI_ACTIONS = ['create', 'update', 'delete'] as const;
export type WikiAction = (typeof WIKI_ACTIONS)[number];

/** A commit of a page was made in a project's wiki, or was about to be: it happened if the wiki has the commit. */
export interface WikiPageChanged {
  readonly projectId: number;
  readonly actorId: number;
  readonly action: WikiAction;
  readonly slug: string;
  readonly format: WikiFormat;
  readonly path: string;
  readonly sha: string;
}

export const wikiPageChanged = defineEvent<WikiPageChanged>()('repository.wiki_page_changed');
