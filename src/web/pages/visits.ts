import type { Request } from 'express';
import type { Visit } from './visit';

/** The visit that the guard made of a request, kept beside it until the page is written. */
const visits = new WeakMap<Request, Visit>();

export const keepVisit = (request: Request, visit: Visit): void => void visits.set(request, visit);

/** Null where no guard has come that far. */
export const visitIfAny = (request: Request): Visit | null => visits.get(request) ?? null;

/** Throws where no guard has run, which only a wrong wiring can cause. */
export function visitOf(request: Request): Visit {
  const visit = visits.get(request);
  if (!visit) throw new Error(`no guard has prepared ${request.path}`);
  return visit;
}
