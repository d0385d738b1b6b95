import type { User, Session } from '../../identity/identity.api';
import { template, type Html } from '../rendering/html';
import type { Form } from './form';

const tokenField = template<{ token: string }>(
  '<input type="hidden" name="authenticity_token" value="<%= it.token %>">',
);

/** One request for a page: who is there, and what they sent. */
export interface VisitFacts<S extends Session | null> {
  readonly session: S;
  readonly form: Form;
  /** What proves that a form is ours: in forms by `tokenField`, for scripts in the head of the page. */
  readonly formToken: string;
  /** By name. */
  readonly cookies: (name: string) => string;
  /** What the row names with a colon. */
  readonly pathParameters: Readonly<Record<string, unknown>>;
  /** Path and query of the request. */
  readonly address: string;
  /** Of the client's machine. */
  readonly clientAddress: string;
  /** What stands before every path of the service in the browser: the path of EXTERNAL_URL, mostly nothing. */
  readonly base: string;
}

export class Visit<S extends Session | null = Session | null> {
  constructor(private readonly facts: VisitFacts<S>) {}

  get session(): S {
    return this.facts.session;
  }

  get form(): Form {
    return this.facts.form;
  }

  get formToken(): string {
    return this.facts.formToken;
  }

  /** Belongs into every form that posts. */
  get tokenField(): Html {
    return tokenField({ token: this.facts.formToken });
  }

  get address(): string {
    return this.facts.address;
  }

  get clientAddress(): string {
    return this.facts.clientAddress;
  }

  /** Empty when there is none. */
  cookie(name: string): string {
    return this.facts.cookies(name);
  }

  /** What a row like `GET /things/:id` names; decoded. */
  pathParameter(name: string): string {
    const value = this.facts.pathParameters[name];
    return typeof value === 'string' ? value : '';
  }

  /** A path of the service as a browser has to ask for it. */
  to(path: string): string {
    return `${this.facts.base}${path}`;
  }
}

/** A visit of somebody who is signed in. */
export type PersonalVisit = Visit<Session>;

export const visitor = (visit: PersonalVisit): User => visit.session.user;
