import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import OAuth2Server from '@node-oauth/oauth2-server';
import { PasswordLogins } from '../passwords/password-logins';
import { OAuthClients } from './oauth-clients';
import { OAuthGrantsRepository } from './oauth-grants.repository';
import { LIFETIMES } from './oauth-lifetimes';
import { OAuthModel, type ModelRequest } from './oauth-model';

export interface ProviderOfRequest {
  readonly server: OAuth2Server;
  readonly model: OAuthModel;
}

/** Sets the library up: once for each request, since the model remembers what the request is about. */
@Injectable()
export class OAuthProvider {
  constructor(
    private readonly database: Database,
    private readonly clients: OAuthClients,
    private readonly grants: OAuthGrantsRepository,
    private readonly logins: PasswordLogins,
  ) {}

  for(request: ModelRequest): ProviderOfRequest {
    const { database, clients, grants, logins } = this;
    const model = new OAuthModel({ database, clients, grants, logins }, request);
    const options = {
      model,
      accessTokenLifetime: LIFETIMES.accessToken,
      refreshTokenLifetime: LIFETIMES.refreshToken,
      authorizationCodeLifetime: LIFETIMES.code,
      allowEmptyState: true,
      allowBearerTokensInQueryString: true,
      // Whether a client needs its secret is a property of the client: the model knows.
      requireClientAuthentication: {
        authorization_code: false,
        refresh_token: false,
        password: false,
        client_credentials: true,
      },
    };
    return { server: new OAuth2Server(options), model };
  }
}
