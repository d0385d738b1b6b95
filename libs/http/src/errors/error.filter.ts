import { DomainError } from '#libs/errors';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { allowedMethods } from './allowed-methods';
import { sendJson } from '../responses/send-json';
import { SCIM_PREFIX } from '../endpoint/row';
import { answerFor, UNFORESEEN, type ErrorAnswer } from './error-body';
import { SCIM_TYPE, scimAnswer } from './scim-error-body';

/** Whatever a request threw becomes one of the specification's error bodies. Causes go to the log, never to the client. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Request');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    // The client is gone: whatever was stopped for that is nobody's error.
    if (response.destroyed) return;
    const isScim = request.path.startsWith(SCIM_PREFIX);
    const usual = this.answer(error, request);
    const answer = isScim ? scimAnswer(usual, error instanceof DomainError ? error.detail : null) : usual;
    if (answer.status >= 500) {
      this.logger.error({
        err: error,
        requestId: response.get('x-request-id'),
        method: request.method,
        path: request.path,
      });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.set(name, value);
    response.status(answer.status);
    if (!answer.body) return void response.end();
    response.removeHeader('Content-Type');
    if (isScim) response.setHeader('Content-Type', SCIM_TYPE);
    sendJson(response, answer.body);
  }

  private answer(error: unknown, request: Request): ErrorAnswer {
    if (error instanceof DomainError) return answerFor(error.detail);
    if (!(error instanceof HttpException)) return UNFORESEEN;
    const status = error.getStatus();
    if (status !== 404) return { status, body: { error: error.message } };
    const allowed = allowedMethods(request);
    if (allowed.length === 0) return { status: 404, body: { error: '404 Not Found' } };
    return { status: 405, body: { error: '405 Not Allowed' }, headers: { Allow: allowed.join(', ') } };
  }
}
