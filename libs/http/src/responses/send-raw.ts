import { DomainError } from '#libs/errors';
import { Logger, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { answerFor, UNFORESEEN } from '../errors/error-body';
import type { RawAnswer } from './raw-answer';
import { chooseStatus } from './chosen-status';
import { sendJson } from './send-json';

const logger = new Logger('RawAnswer');

/** What the adapter is to send for a raw answer. A stream that the client knows already (by its ETag) is let go. */
export function sendRaw(request: Request, response: Response, { body, headers, status }: RawAnswer): unknown {
  if (status !== undefined) chooseStatus(response, status);
  // Node's own way: Express would add a charset to JSON.
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === null || Buffer.isBuffer(body)) return body;
  if (request.fresh) {
    body.destroy();
    return null;
  }
  const file = new StreamableFile(body, { type: headers['Content-Type'] ?? 'application/octet-stream' });
  return file.setErrorHandler((error) => streamFailed(response, headers, error));
}

/** Before the first byte an error is answered as any other; after it the connection ends, so that half is not the whole. */
function streamFailed(response: Response, headers: RawAnswer['headers'], error: Error): void {
  if (response.destroyed) return;
  logger.error({ err: error, requestId: response.get('x-request-id') });
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of Object.keys(headers)) response.removeHeader(name);
  const { status, body } = error instanceof DomainError ? answerFor(error.detail) : UNFORESEEN;
  response.status(status);
  sendJson(response, body);
}
