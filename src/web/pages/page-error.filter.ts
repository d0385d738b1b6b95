import { DomainError } from '#libs/errors';
import { answerFor } from '#libs/http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { failurePage } from './failure.page';
import { type PageAnswer, redirect } from './page-answer';
import { FormRefused, GoElsewhere } from './page-errors';
import { PageWriter } from './page-writer';
import { visitIfAny } from './visits';

/** Whatever a page's handler or guard threw becomes a page. Causes go to the log, never to the browser. */
@Catch()
@Injectable()
export class PageErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Page');

  constructor(private readonly writer: PageWriter) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.destroyed) return;
    const answer = answerTo(error);
    if (answer.kind === 'shown' && (answer.status ?? 0) >= 500) {
      this.logger.error({ err: error, requestId: response.get('x-request-id'), path: request.path });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.end(this.writer.write(response, visitIfAny(request), answer));
  }
}

function answerTo(error: unknown): PageAnswer {
  if (error instanceof GoElsewhere) return redirect(error.path);
  if (error instanceof FormRefused) return failurePage('form_refused', 403);
  if (!(error instanceof DomainError)) return failurePage('broken', 500);
  const { status } = answerFor(error.detail);
  switch (error.detail.kind) {
    case 'not_found':
      return failurePage('not_found', status);
    case 'forbidden':
      return failurePage('forbidden', status);
    case 'unavailable':
      return failurePage('unavailable', status);
    default:
      return failurePage(status >= 500 ? 'broken' : 'bad_request', status);
  }
}
