import { Injectable } from '@nestjs/common';
import OAuth2Server from '@node-oauth/oauth2-server';
import { digestOf } from '../access-tokens/secrets';
import { clientCredentialsOf } from './client-credentials';
import { refusalOf, textsOf, unwrapped, type OAuthAnswer } from './oauth-answer';
import type { OAuthApplication } from './oauth-application.entity';
import { OAuthClients } from './oauth-clients';
import { OAuthGrantsRepository, type KeptToken } from './oauth-grants.repository';
import { OAuthProvider } from './oauth-provider';
import type { ClientCall } from './token-endpoint.service';

const NAMES = ['token', 'client_id', 'client_secret'];
const { InvalidClientError, InvalidRequestError, OAuthError } = OAuth2Server;

/** What clients ask about tokens that they hold, and how they give them back. */
@Injectable()
export class TokenStatus {
  constructor(
    private readonly provider: OAuthProvider,
    private readonly clients: OAuthClients,
    private readonly grants: OAuthGrantsRepository,
  ) {}

  /** Of the very token that the request shows. */
  async info(call: ClientCall): Promise<OAuthAnswer> {
    try {
      const shown = await this.shownToken(call);
      return { status: 200, body: infoOf(shown) };
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** RFC 7009: the answer tells nothing. Whoever shows one token of a grant revokes all of it. */
  async revoke(call: ClientCall): Promise<OAuthAnswer> {
    const done = { status: 200, body: {} };
    try {
      const sent = textsOf(call.parameters, NAMES);
      const found = await this.grants.findGrantOfToken(digestOf(sent['token'] ?? ''));
      if (!found) return done;
      const client = await this.clientOf(call, sent);
      if (found.clientUid === (client?.uid ?? null)) await this.grants.revokeGrant(found.grantId);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
    }
    return done;
  }

  /** RFC 7662, for a client's own tokens: of others it learns no more than of none. */
  async introspect(call: ClientCall): Promise<OAuthAnswer> {
    try {
      const sent = textsOf(call.parameters, NAMES);
      const asking = await this.askingClient(call, sent);
      if (sent['token'] === undefined) throw new InvalidRequestError('Missing parameter: `token`');
      const kept = await this.grants.findAccessToken(digestOf(sent['token']));
      const isTheirs = kept !== null && !kept.isDead && kept.clientUid === asking;
      return { status: 200, body: isTheirs ? introspectionOf(kept) : { active: false } };
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** The uid of a client that has proved who it is, by its secret or by a token of its own. */
  private async askingClient(call: ClientCall, sent: Record<string, string>): Promise<string> {
    if (call.authorization?.toLowerCase().startsWith('bearer ') === true) {
      const { clientUid } = await this.shownToken(call);
      if (clientUid !== null) return clientUid;
    }
    const client = await this.clientOf(call, sent);
    if (!client?.confidential)
      throw new InvalidClientError('Invalid client: client authentication is needed');
    return client.uid;
  }

  private async clientOf(call: ClientCall, sent: Record<string, string>): Promise<OAuthApplication | null> {
    const credentials = clientCredentialsOf(call.authorization, sent);
    if (!credentials) return null;
    const client = await this.clients.authenticated(credentials);
    if (!client) throw new InvalidClientError('Invalid client: client is invalid');
    return client;
  }

  private async shownToken({ parameters, authorization, address }: ClientCall): Promise<KeptToken> {
    const { server, model } = this.provider.for({
      person: null,
      withoutClient: false,
      redirectUri: undefined,
      address,
    });
    const request = new OAuth2Server.Request({
      method: 'GET',
      headers: { ...(authorization !== undefined && { authorization }) },
      query: textsOf(parameters, ['access_token']),
    });
    await server.authenticate(request, new OAuth2Server.Response()).catch((error: unknown) => {
      throw unwrapped(error);
    });
    if (!model.shown) throw new Error('the library asks for the token that it lets pass');
    return model.shown;
  }
}

const secondsLeft = ({ expiresAt }: KeptToken): number =>
  Math.max(0, Math.round((expiresAt.getTime() - Date.now()) / 1000));
const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** The last two are the names that older clients of the reference know. */
const infoOf = (token: KeptToken): object => ({
  resource_owner_id: token.user?.id ?? null,
  scope: token.scopes,
  expires_in: secondsLeft(token),
  application: { uid: token.clientUid },
  created_at: seconds(token.createdAt),
  scopes: token.scopes,
  expires_in_seconds: secondsLeft(token),
});

const introspectionOf = (token: KeptToken): object => ({
  active: true,
  scope: token.scopes.join(' '),
  client_id: token.clientUid,
  token_type: 'Bearer',
  exp: seconds(token.expiresAt),
  iat: seconds(token.createdAt),
});
