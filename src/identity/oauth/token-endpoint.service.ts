import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import OAuth2Server from '@node-oauth/oauth2-server';
import { clientCredentialsOf } from './client-credentials';
import { refusalOf, textsOf, unwrapped, type OAuthAnswer } from './oauth-answer';
import { LIFETIMES } from './oauth-lifetimes';
import { NO_CLIENT, type IssuedTokens } from './oauth-model';
import { OAuthProvider, type ProviderOfRequest } from './oauth-provider';

/** A request of a client, as far as OAuth is concerned. */
export interface ClientCall {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The header of that name. */
  readonly authorization: string | undefined;
  readonly address: string;
}

const NAMES = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'username',
  'password',
  'scope',
  'client_id',
  'client_secret',
];

/** What people may ask for with nothing but their password, and go on with what that brought. */
const WITHOUT_CLIENT = new Set(['password', 'refresh_token']);
/** These use something up, and what is used up stays so when the client is refused. */
const USING_UP = new Set(['authorization_code', 'refresh_token']);

/** Gives out tokens: for codes, refresh tokens, passwords, and to applications for themselves. */
@Injectable()
export class TokenEndpoint {
  constructor(
    private readonly provider: OAuthProvider,
    private readonly database: Database,
  ) {}

  /** Throws `unavailable` when too many sign in at once. */
  async answer(call: ClientCall): Promise<OAuthAnswer> {
    try {
      const issued = await this.issue(call);
      return { status: 200, body: bodyOf(issued) };
    } catch (error) {
      return refusalOf(error);
    }
  }

  private async issue({ parameters, authorization, address }: ClientCall): Promise<IssuedTokens> {
    const sent = textsOf(parameters, NAMES);
    const grantType = sent['grant_type'] ?? '';
    const credentials = clientCredentialsOf(authorization, sent);
    const withoutClient = credentials === null && WITHOUT_CLIENT.has(grantType);
    const provider = this.provider.for({
      person: null,
      withoutClient,
      redirectUri: sent['redirect_uri'],
      address,
    });
    const request = requestOf({
      ...sent,
      ...(withoutClient && { client_id: NO_CLIENT }),
      ...(credentials && { client_id: credentials.clientId }),
      ...(credentials?.clientSecret !== undefined && { client_secret: credentials.clientSecret }),
    });
    const refusal = USING_UP.has(grantType)
      ? await this.useUp(provider, request)
      : await refusalAt(provider, request);
    if (refusal) throw refusal;
    if (!provider.model.issued) throw new Error('the library saves the tokens that it gives out');
    return provider.model.issued;
  }

  /** A code or refresh token is used up by a refusal too, but not because a client asked for too much. */
  private async useUp(
    provider: ProviderOfRequest,
    request: OAuth2Server.Request,
  ): Promise<OAuth2Server.OAuthError | null> {
    return this.database.transaction(async () => {
      const refusal = await refusalAt(provider, request);
      if (refusal?.name === 'invalid_scope') throw refusal;
      return refusal;
    });
  }
}

/** Null when tokens were given out. Throws what is no refusal. */
async function refusalAt(
  { server }: ProviderOfRequest,
  request: OAuth2Server.Request,
): Promise<OAuth2Server.OAuthError | null> {
  try {
    await server.token(request, new OAuth2Server.Response());
    return null;
  } catch (error) {
    return unwrapped(error);
  }
}

/** As the library wants it: whatever the client's way of sending, a form. */
function requestOf(sent: Record<string, string>): OAuth2Server.Request {
  // The library refuses much that people have in their passwords; the model decodes them again.
  const encoded = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      name === 'username' || name === 'password' ? encodeURIComponent(value) : value,
    ]),
  );
  return new OAuth2Server.Request({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
    query: {},
    body: encoded,
  });
}

const bodyOf = ({ accessToken, refreshToken, scopes, createdAt }: IssuedTokens): object => ({
  access_token: accessToken,
  token_type: 'bearer',
  expires_in: LIFETIMES.accessToken,
  ...(refreshToken !== null && { refresh_token: refreshToken }),
  scope: scopes.join(' '),
  created_at: Math.floor(createdAt.getTime() / 1000),
});
