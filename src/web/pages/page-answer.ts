import type { StartedSession } from '../../identity/identity.api';
import type { Html } from '../rendering/html';

/** A problem of a form, told above it and beside the field. */
export interface Problem {
  /** Id of the field's element; empty for one that concerns no single field. */
  readonly field: string;
  readonly text: string;
}

/** What becomes of the session cookie: a new session begins, or the session is over. */
export type SessionChange = { readonly started: StartedSession; readonly remember: boolean } | 'ended';

export interface ShownPage {
  readonly kind: 'shown';
  readonly title: string;
  readonly content: Html;
  /** By default 200, and with problems 422. */
  readonly status?: number;
  readonly problems?: readonly Problem[];
  /**
   * Where the answer to a form of this page may lead besides this service: browsers hold redirects after a form
   * against the policy, too. Origins, or 'anywhere'.
   */
  readonly formsLeadTo?: readonly string[] | 'anywhere';
  readonly session?: SessionChange;
}

export interface Redirection {
  readonly kind: 'redirection';
  /** A path of this service, or for `leave` an absolute URL. */
  readonly to: string;
  readonly isElsewhere: boolean;
  readonly session?: SessionChange;
}

/** What the handler of a page returns. */
export type PageAnswer = ShownPage | Redirection;

type ShowOptions = Omit<ShownPage, 'kind' | 'title' | 'content'>;

/** A page in the layout. */
export const show = (title: string, content: Html, options: ShowOptions = {}): ShownPage => ({
  kind: 'shown',
  title,
  content,
  ...options,
});

/** To a path of this service. A name of NOTICES as `notice` in its query shows the text of it there. */
export const redirect = (to: string, session?: SessionChange): Redirection => ({
  kind: 'redirection',
  to,
  isElsewhere: false,
  ...(session && { session }),
});

/** To another site: only where the URL was checked against what somebody registered. */
export const leave = (url: string): Redirection => ({ kind: 'redirection', to: url, isElsewhere: true });
