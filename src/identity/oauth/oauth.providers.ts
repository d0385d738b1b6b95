import { Authorizations } from './authorizations.service';
import { ConsentsRepository } from './consents.repository';
import { OAuthApplication } from './oauth-application.entity';
import { OAuthApplicationsController } from './oauth-applications.controller';
import { OAuthApplicationsRepository } from './oauth-applications.repository';
import { OAuthApplications } from './oauth-applications.service';
import { OAuthCleanup } from './oauth-cleanup.job';
import { OAuthClients } from './oauth-clients';
import { OAuthGrantsRepository } from './oauth-grants.repository';
import { OAuthProvider } from './oauth-provider';
import { OAuthRemainsRepository } from './oauth-remains.repository';
import { OAuthTokenController } from './oauth-token.controller';
import { TokenEndpoint } from './token-endpoint.service';
import { TokenStatus } from './token-status.service';

/** The OAuth 2 provider, as the identity module takes it up. */
export const OAUTH = {
  entities: [OAuthApplication],
  controllers: [OAuthApplicationsController, OAuthTokenController],
  /** For the pages. */
  published: [Authorizations, OAuthApplications],
  providers: [
    ConsentsRepository,
    OAuthApplicationsRepository,
    OAuthCleanup,
    OAuthClients,
    OAuthGrantsRepository,
    OAuthProvider,
    OAuthRemainsRepository,
    TokenEndpoint,
    TokenStatus,
  ],
} as const;
