import type { NextFunction, Request, Response } from 'express';
import { allowedMethods } from '../errors/allowed-methods';

const EXPOSED = 'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page';
const PREFLIGHT_SECONDS = '7200';

/** Programs in browsers talk to the API, and get their tokens here; the page that asks people for consent is not among these. */
const OPEN_TO_ALL = /^\/(?:api\/|oauth\/(?:token|revoke)(?:\/|$))/;

/** Any origin may read the API, without credentials (the reference's rule). OPTIONS lists the path's methods. */
export function crossOrigin(request: Request, response: Response, next: NextFunction): void {
  if (!OPEN_TO_ALL.test(request.path)) return next();
  response.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED });
  if (request.method !== 'OPTIONS') return next();
  const allowed = allowedMethods(request);
  if (allowed.length === 0) return next();
  response.set({
    Allow: allowed.join(', '),
    'Access-Control-Allow-Methods': allowed.join(', '),
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  });
  const asked = request.get('access-control-request-headers');
  if (asked !== undefined) response.set('Access-Control-Allow-Headers', asked);
  response.status(204).end();
}
