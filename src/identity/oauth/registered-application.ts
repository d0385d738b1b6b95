import type { OAuthApplication } from './oauth-application.entity';

/** An application with its secret, which nobody is told again. */
export interface RegisteredApplication {
  readonly application: OAuthApplication;
  readonly secret: string;
}
