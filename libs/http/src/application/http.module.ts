import { Urls } from '#libs/presenting';
import { License, type Tier } from '#libs/tiers';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { TOKEN_RULES, type TokenRules } from '../authentication/account-checks';
import { Authenticator } from '../authentication/authenticator';
import { Readers } from '../authentication/readers';
import { EndpointGuard } from '../endpoint/endpoint.guard';
import { ErrorFilter } from '../errors/error.filter';
import { EndpointCatalogue } from '../endpoint/endpoint-catalogue';

export interface HttpOptions {
  /** Base of all URLs in answers, without a trailing slash. */
  readonly externalUrl: string;
  readonly tier: Tier;
  readonly tokens: TokenRules;
}

/** The conventions of the specification, once, for every endpoint. Needs a CallerResolver bound by the application. */
@Module({})
export class HttpModule {
  static forRoot({ externalUrl, tier, tokens }: HttpOptions): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: Urls, useValue: new Urls(externalUrl) },
        { provide: License, useValue: new License(tier) },
        { provide: TOKEN_RULES, useValue: tokens },
        Authenticator,
        EndpointCatalogue,
        Readers,
        { provide: APP_GUARD, useClass: EndpointGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
      exports: [Urls, License, Authenticator, EndpointCatalogue, Readers],
    };
  }
}
