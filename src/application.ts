import {
  bodyLimitsOf,
  crossOrigin,
  joinedSlashes,
  readBody,
  ServiceAdapter,
  standardHeaders,
} from '#libs/http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { LoggerService } from '@nestjs/common';
import type { RequestHandler } from 'express';
import type { NextFunction, Request, Response } from 'express';
import { AppModule } from './app.module';
import { ArtifactGate, bringsArtifacts, bringsTrace, roomForArtifact } from './ci/ci.api';
import { GitHttp } from './repository/git-http/git-http.middleware';
import { HookChainReading } from './repository/hooks/hook-chain.middleware';
import type { Settings } from './settings/settings';

/** The application with its middleware in order, not yet listening. */
export async function createApplication(
  settings: Settings,
  databaseUrl: string,
  logger: LoggerService | false,
  accessLog?: RequestHandler,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(settings, databaseUrl),
    new ServiceAdapter(),
    { bodyParser: false, logger, abortOnError: false },
  );
  app.disable('x-powered-by');
  app.set('case sensitive routing', true);
  app.set('query parser', false);
  // A proxy on this machine tells whom it speaks for; anybody else's word for that is not taken.
  app.set('trust proxy', 'loopback');
  if (accessLog) app.use(accessLog);
  app.use(joinedSlashes);
  app.use(standardHeaders);
  app.use(crossOrigin);
  for (const reader of [app.get(HookChainReading), app.get(GitHttp), app.get(ArtifactGate)])
    app.use((request: Request, response: Response, next: NextFunction) =>
      reader.use(request, response, next),
    );
  app.use(
    readBody({
      skip: bringsTrace,
      limits: (request) =>
        bringsArtifacts(request)
          ? roomForArtifact(settings.artifactLimitBytes)
          : bodyLimitsOf(request, settings.uploadLimitBytes),
    }),
  );
  return app;
}
