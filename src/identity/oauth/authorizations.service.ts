import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import OAuth2Server from '@node-oauth/oauth2-server';
import {
  readAuthorizationRequest,
  UNKNOWN_APPLICATION,
  withParameters,
  type AuthorizationRequest,
} from './authorization-request';
import { ConsentsRepository, type AuthorizedApplication } from './consents.repository';
import { unwrapped } from './oauth-answer';
import { OAuthClients } from './oauth-clients';
import type { Person } from './oauth-model';
import { OAuthProvider } from './oauth-provider';

/** What becomes of somebody whom an application has sent to us. */
export type AuthorizationVerdict =
  /** The application, or where to send the person back to, cannot be trusted: they stay here and are told why. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Back to the application, with a code or an error. */
  | { readonly kind: 'redirected'; readonly location: string }
  | { readonly kind: 'asked'; readonly request: AuthorizationRequest };

/** So that the page that shows them stays one page. */
const MOST_SHOWN = 500;

/** Lets people decide what applications may do for them. */
@Injectable()
export class Authorizations {
  constructor(
    private readonly provider: OAuthProvider,
    private readonly clients: OAuthClients,
    private readonly consents: ConsentsRepository,
  ) {}

  /** Asks, unless it is a trusted application or one that has the same already. */
  async begin(person: Person, query: Readonly<Record<string, unknown>>): Promise<AuthorizationVerdict> {
    const verdict = await readAuthorizationRequest(this.clients, person, query);
    if (verdict.kind !== 'asked') return verdict;
    return (await this.needsNoQuestion(person, verdict.request))
      ? this.grant(person, verdict.request)
      : verdict;
  }

  /** The person has said yes to what `query` asks. It is read anew: what the page showed proves nothing. */
  async approve(person: Person, query: Readonly<Record<string, unknown>>): Promise<AuthorizationVerdict> {
    const verdict = await readAuthorizationRequest(this.clients, person, query);
    return verdict.kind === 'asked' ? this.grant(person, verdict.request) : verdict;
  }

  /** The person has said no. */
  async deny(person: Person, query: Readonly<Record<string, unknown>>): Promise<AuthorizationVerdict> {
    const verdict = await readAuthorizationRequest(this.clients, person, query);
    if (verdict.kind !== 'asked') return verdict;
    const description = 'Access denied: the person said no';
    return backTo(verdict.request, { error: 'access_denied', error_description: description });
  }

  /** Applications that may act for somebody. */
  ofUser(userId: number): Promise<AuthorizedApplication[]> {
    return this.consents.ofUser(userId, MOST_SHOWN);
  }

  /** Ends all that an application was allowed. Throws "404 Application Not Found" when that is nothing. */
  async revoke(userId: number, applicationId: number): Promise<void> {
    if (!(await this.consents.revoke(userId, applicationId))) throw notFound('Application');
  }

  private async needsNoQuestion(person: Person, request: AuthorizationRequest): Promise<boolean> {
    const { application, scopes, redirectUri } = request;
    if (application.trusted) return true;
    if (!application.provesItselfAt(redirectUri)) return false;
    return this.consents.covers(person.id, application.id, scopes);
  }

  private async grant(person: Person, request: AuthorizationRequest): Promise<AuthorizationVerdict> {
    const { server } = this.provider.for({
      person,
      withoutClient: false,
      redirectUri: request.redirectUri,
      address: '',
    });
    const library = new OAuth2Server.Request({
      method: 'POST',
      headers: {},
      query: {},
      body: bodyOf(request),
    });
    const response = new OAuth2Server.Response();
    try {
      const { authorizationCode } = await server.authorize(library, response, {
        authenticateHandler: { handle: () => person },
      });
      return backTo(request, { code: authorizationCode });
    } catch (error) {
      const { name, message } = unwrapped(error);
      // Deleted since it was read: nobody vouches for its address any more.
      if (name === 'invalid_client') return UNKNOWN_APPLICATION;
      return backTo(request, { error: name, error_description: message });
    }
  }
}

const backTo = (
  { redirectUri, state }: AuthorizationRequest,
  outcome: Readonly<Record<string, string>>,
): AuthorizationVerdict => ({
  kind: 'redirected',
  location: withParameters(redirectUri, { ...outcome, ...(state !== null && { state }) }),
});

const bodyOf = (request: AuthorizationRequest): Record<string, string> => ({
  client_id: request.application.uid,
  redirect_uri: request.redirectUri,
  response_type: 'code',
  scope: request.scopes.join(' '),
  ...(request.codeChallenge && {
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
  }),
});
