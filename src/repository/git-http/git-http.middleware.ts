import { abortedWithClient, addressOf, answerFor, type ErrorAnswer } from '#libs/http';
import { DomainError } from '#libs/errors';
import { Injectable, Logger, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Repositories } from '../storages/repositories';
import { GitAccess } from './git-access.service';
import { gitCredential } from './git-credential';
import { gitAddress, gitRequest, type GitRequest } from './git-request';
import { ProjectPushes } from './project-push';

/** What every path of git's protocol contains, encoded or not. */
const GIT_PATH = /(?:info(?:\/|%2f)refs|git-(?:upload|receive)-pack)/i;

/** Stands before the reading of bodies: git's bodies are streams of any length. */
@Injectable()
export class GitHttp implements NestMiddleware {
  private readonly logger = new Logger(GitHttp.name);

  constructor(
    private readonly access: GitAccess,
    private readonly repositories: Repositories,
    private readonly pushes: ProjectPushes,
  ) {}

  use(request: Request, response: Response, next: NextFunction): void {
    if (!GIT_PATH.test(request.originalUrl)) return next();
    const [path = '', query = ''] = request.originalUrl.split('?', 2);
    const service = new URLSearchParams(query).get('service');
    const plain = decoded(path);
    const asked = plain === null ? null : gitRequest(request.method, plain, service);
    if (asked) {
      this.serve(asked, request, response).catch((error: unknown) => this.refuse(error, request, response));
      return;
    }
    const address = plain === null ? null : gitAddress(request.method, plain, service);
    if (address === null) next();
    else response.redirect(301, encodeURI(address));
  }

  private async serve(asked: GitRequest, request: Request, response: Response): Promise<void> {
    const credential = gitCredential(request.get('authorization'));
    const { actor, project } = await this.access.admit(asked, credential, addressOf(request));
    const repository = this.repositories.open(project, abortedWithClient(response));
    const protocol = request.get('git-protocol') ?? null;
    const answer =
      asked.step === 'advertise'
        ? await repository.advertise(asked.service, protocol)
        : asked.service === 'git-upload-pack'
          ? await repository.uploadPack(bodyOf(request), protocol)
          : await repository.receivePack(bodyOf(request), protocol, this.pushes.handler(actor, project.id));
    const kind = asked.step === 'advertise' ? 'advertisement' : 'result';
    response.status(200).set({
      'Content-Type': `application/x-${asked.service}-${kind}`,
      'Cache-Control': 'no-cache, max-age=0, must-revalidate',
      Pragma: 'no-cache',
      Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
    });
    await pipeline(answer, response);
  }

  /** git shows its user the text of an error, so it gets the message and not the JSON. */
  private refuse(error: unknown, request: Request, response: Response): void {
    const answer: ErrorAnswer = error instanceof DomainError ? answerFor(error.detail) : { status: 500 };
    if (answer.status >= 500) this.logger.error({ err: error, path: request.path }, 'a git request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (answer.headers) response.set(answer.headers);
    if (answer.status === 401) response.set('WWW-Authenticate', 'Basic realm="git"');
    response.status(answer.status).type('text/plain').send(textOf(answer.body));
    request.resume();
  }
}

/** Null for a path that no project can have. */
function decoded(path: string): string | null {
  try {
    const text = decodeURIComponent(path);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function bodyOf(request: Request): Readable {
  const encoding = request.get('content-encoding') ?? 'identity';
  return encoding === 'gzip' || encoding === 'x-gzip' ? request.pipe(createGunzip()) : request;
}

const textOf = (body: object | undefined): string =>
  body && 'message' in body && typeof body.message === 'string'
    ? `${body.message}\n`
    : 'The request failed.\n';
