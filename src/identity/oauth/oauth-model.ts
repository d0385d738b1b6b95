import type { Database } from '#libs/database';
import OAuth2Server from '@node-oauth/oauth2-server';
import { digestOf, newSecret } from '../access-tokens/secrets';
import type { PasswordLogins } from '../passwords/password-logins';
import type { OAuthApplication } from './oauth-application.entity';
import type { OAuthClients } from './oauth-clients';
import type { KeptToken, OAuthGrantsRepository } from './oauth-grants.repository';
import { grantableScopes } from './oauth-scopes';

/** What the library's questions are answered from. */
export interface ModelSources {
  readonly database: Database;
  readonly clients: OAuthClients;
  readonly grants: OAuthGrantsRepository;
  readonly logins: PasswordLogins;
}

/** What of a request the library does not pass on. */
export interface ModelRequest {
  /** Somebody signed in, who is asked for consent; null where a client is at the door and has to say who it is. */
  readonly person: Person | null;
  /** No client takes part: people ask for a token of their own with their password, as the reference allows. */
  readonly withoutClient: boolean;
  /** As it was sent along with a code. */
  readonly redirectUri: string | undefined;
  /** Of the client, for counting failed passwords. */
  readonly address: string;
}

export interface Person {
  readonly id: number;
  readonly isAdmin: boolean;
}

/** Tokens just made, the only time that they are known. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
}

/** Stands for the client that does not take part; no uid looks like it. */
export const NO_CLIENT = '-';

const { InvalidClientError, InvalidGrantError } = OAuth2Server;

/**
 * The library's view of our tables, for one request: what it has found is remembered until the tokens are saved.
 * Using codes and refresh tokens wants a transaction around the request, so that each works once however many come at
 * the same time.
 */
export class OAuthModel
  implements
    OAuth2Server.AuthorizationCodeModel,
    OAuth2Server.RefreshTokenModel,
    OAuth2Server.PasswordModel,
    OAuth2Server.ClientCredentialsModel
{
  /** The token that the request shows, after `getAccessToken`. */
  shown: KeptToken | null = null;
  /** After `saveToken`. */
  issued: IssuedTokens | null = null;

  private application: OAuthApplication | null = null;
  private person: Person | null;
  private grantId: number | null = null;

  constructor(
    private readonly sources: ModelSources,
    private readonly request: ModelRequest,
  ) {
    this.person = request.person;
  }

  generateAccessToken = (): Promise<string> => Promise.resolve(newSecret());
  generateRefreshToken = (): Promise<string> => Promise.resolve(newSecret());
  generateAuthorizationCode = (): Promise<string> => Promise.resolve(newSecret());

  async getClient(clientId: string, clientSecret?: string | null): Promise<OAuth2Server.Client | null> {
    if (this.request.withoutClient) return { id: NO_CLIENT, grants: ['password', 'refresh_token'] };
    const { clients } = this.sources;
    this.application = this.request.person
      ? await clients.find(clientId)
      : await clients.authenticated({ clientId, clientSecret: clientSecret ?? undefined });
    return this.application && clientOf(this.application);
  }

  validateScope(
    _user: OAuth2Server.User,
    _client: OAuth2Server.Client,
    asked?: string[],
  ): Promise<string[] | null> {
    return Promise.resolve(grantableScopes(asked, this.application?.scopes ?? null, this.person));
  }

  async saveAuthorizationCode(
    code: Pick<
      OAuth2Server.AuthorizationCode,
      'authorizationCode' | 'expiresAt' | 'redirectUri' | 'scope' | 'codeChallenge'
    >,
    client: OAuth2Server.Client,
    user: OAuth2Server.User,
  ): Promise<OAuth2Server.AuthorizationCode> {
    const { database, grants } = this.sources;
    await database.transaction(async () => {
      const grantId = await this.newGrant(code.scope ?? [], code.expiresAt);
      await grants.insertCode({
        digest: digestOf(code.authorizationCode),
        grantId,
        redirectUri: code.redirectUri,
        codeChallenge: code.codeChallenge ?? null,
        expiresAt: code.expiresAt,
      });
    });
    return { ...code, client, user };
  }

  async getAuthorizationCode(code: string): Promise<OAuth2Server.AuthorizationCode | null> {
    const kept = await this.sources.grants.lockCode(digestOf(code));
    if (!kept?.user || kept.clientUid === null || kept.isDead) return null;
    this.person = kept.user;
    this.grantId = kept.grantId;
    return {
      authorizationCode: code,
      expiresAt: kept.expiresAt,
      redirectUri: kept.redirectUri,
      scope: kept.scopes,
      client: { id: kept.clientUid, grants: [] },
      user: kept.user,
      ...(kept.codeChallenge !== null && { codeChallenge: kept.codeChallenge, codeChallengeMethod: 'S256' }),
    };
  }

  /** A code that comes again was stolen, before or after its first use: what the first brought is revoked. */
  async revokeAuthorizationCode(code: OAuth2Server.AuthorizationCode): Promise<boolean> {
    const isFirstUse = await this.sources.grants.useCode(digestOf(code.authorizationCode));
    if (!isFirstUse) return this.revokeGrant();
    // The library calls this a malformed request, the standard an invalid grant (RFC 6749, 5.2).
    if (this.request.redirectUri !== code.redirectUri) {
      throw new InvalidGrantError('Invalid grant: `redirect_uri` is not the one that the code was sent to');
    }
    return true;
  }

  async getRefreshToken(refreshToken: string): Promise<OAuth2Server.RefreshToken | null> {
    const kept = await this.sources.grants.lockRefreshToken(digestOf(refreshToken));
    if (!kept?.user || kept.isDead) return null;
    // The client may have been allowed less since, and the person may be no administrator any more.
    const scope = grantableScopes(kept.scopes, this.application?.scopes ?? null, kept.user);
    if (!scope) return null;
    this.person = kept.user;
    this.grantId = kept.grantId;
    return {
      refreshToken,
      refreshTokenExpiresAt: kept.expiresAt,
      scope,
      client: { id: kept.clientUid ?? NO_CLIENT, grants: [] },
      user: kept.user,
    };
  }

  /** Refresh tokens work once: one that comes again was copied, and nobody knows by whom. */
  async revokeToken({ refreshToken }: OAuth2Server.RefreshToken): Promise<boolean> {
    const isFirstUse = await this.sources.grants.useRefreshToken(digestOf(refreshToken));
    if (!isFirstUse || this.grantId === null) return this.revokeGrant();
    await this.sources.grants.revokeAccessTokens(this.grantId);
    return true;
  }

  /** As the reference: not for those who have a second factor, which could not be asked for. */
  async getUser(username: string, password: string): Promise<OAuth2Server.User | null> {
    const user = await this.sources.logins.withPassword(
      decodeURIComponent(username),
      decodeURIComponent(password),
      this.request.address,
    );
    if (!user || user.twoFactorEnabled) return null;
    this.person = { id: user.id, isAdmin: user.isAdmin };
    return this.person;
  }

  /** It acts for nobody: the library asks for some user all the same. */
  getUserFromClient(): Promise<OAuth2Server.User> {
    return Promise.resolve({});
  }

  async saveToken(
    token: OAuth2Server.Token,
    client: OAuth2Server.Client,
    user: OAuth2Server.User,
  ): Promise<OAuth2Server.Token> {
    const { accessTokenExpiresAt: expiresAt, refreshToken, refreshTokenExpiresAt, scope = [] } = token;
    if (!expiresAt) throw new Error('every access token expires');
    const createdAt = await this.sources.database.transaction(async () =>
      this.sources.grants.insertTokens({
        grantId: this.grantId ?? (await this.newGrant(scope, expiresAt)),
        userId: this.person?.id ?? null,
        name: this.application?.name ?? 'password',
        scopes: scope,
        access: { digest: digestOf(token.accessToken), expiresAt },
        refresh:
          refreshToken !== undefined && refreshTokenExpiresAt
            ? { digest: digestOf(refreshToken), expiresAt: refreshTokenExpiresAt }
            : null,
      }),
    );
    this.issued = {
      accessToken: token.accessToken,
      refreshToken: refreshToken ?? null,
      scopes: scope,
      createdAt,
    };
    return { ...token, client, user };
  }

  /** Null for a personal token too: it is none of ours. */
  async getAccessToken(accessToken: string): Promise<OAuth2Server.Token | null> {
    const kept = await this.sources.grants.findAccessToken(digestOf(accessToken));
    if (!kept || kept.isDead) return null;
    this.shown = kept;
    return {
      accessToken,
      accessTokenExpiresAt: kept.expiresAt,
      scope: kept.scopes,
      client: { id: kept.clientUid ?? NO_CLIENT, grants: [] },
      user: kept.user ?? {},
    };
  }

  /** Throws the library's error where the application, or whom it acts for, has been deleted meanwhile. */
  private async newGrant(scopes: readonly string[], endsAt: Date): Promise<number> {
    const grantId = await this.sources.grants.insertGrant({
      applicationId: this.application?.id ?? null,
      userId: this.person?.id ?? null,
      scopes,
      endsAt,
    });
    if (grantId === null) throw new InvalidClientError('Invalid client: client is invalid');
    return grantId;
  }

  private async revokeGrant(): Promise<false> {
    if (this.grantId !== null) await this.sources.grants.revokeGrant(this.grantId);
    return false;
  }
}

const clientOf = ({ uid, redirectUris, confidential }: OAuthApplication): OAuth2Server.Client => ({
  id: uid,
  redirectUris,
  grants: [
    'authorization_code',
    'refresh_token',
    'password',
    // Whoever takes part must prove to be the application.
    ...(confidential ? ['client_credentials'] : []),
  ],
});
