import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const REQUEST_ID = /^[\w.:-]{1,128}$/;

const HEADERS = [
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'max-age=0, private, must-revalidate'],
  ['Referrer-Policy', 'same-origin'],
] as const;

/** The headers that every answer carries. A sane X-Request-Id of the client is kept, so that logs join up. */
export function standardHeaders(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  response.setHeader(
    'X-Request-Id',
    typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID(),
  );
  next();
}
