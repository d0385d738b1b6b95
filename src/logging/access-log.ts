import { callerIdOf } from '#libs/http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Log } from './log';
import { redactedUrl } from './redacted-url';

/** Load balancers ask every few seconds. */
const UNINTERESTING = /^\/-\/(?:liveness|readiness|health)$/;

const MICROSECONDS = 1000n;

/** One line per request, written when its answer is out or the client has gone. No header is ever logged. */
export function accessLog(log: Log): RequestHandler {
  // These lines hold nothing to redact, and looking for it would be a tenth of what a small request costs.
  const lines = log.child({}, { redact: [] });
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = process.hrtime.bigint();
    const { socket } = request;
    const before = socket.bytesWritten;
    response.once('close', () => {
      const isQuiet = UNINTERESTING.test(request.path) && response.statusCode < 400;
      const level = isQuiet ? 'debug' : 'info';
      if (!lines.isLevelEnabled(level)) return;
      lines[level](
        {
          method: request.method,
          path: redactedUrl(request.originalUrl),
          status: response.statusCode,
          ...(!response.writableFinished && { aborted: true }),
          durationMs: Number((process.hrtime.bigint() - start) / MICROSECONDS) / 1000,
          bytes: socket.bytesWritten - before,
          userId: callerIdOf(request),
          requestId: response.get('x-request-id'),
          address: request.ip,
        },
        'request',
      );
    });
    next();
  };
}
