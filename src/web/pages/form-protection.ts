import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { sameSecret, type Session } from '../../identity/identity.api';

/** Holds what ties forms to a browser that nobody has signed in with. */
export const FORM_COOKIE = '_service_form';
const BYTES = 20;

export const newFormCookie = (): string => randomBytes(BYTES).toString('hex');

/** What the forms of a visit carry: worked out from the session, else from the form cookie. Does not lead back to it. */
export const formTokenOf = (session: Session | null, formCookie: string): string =>
  session?.csrfToken ?? createHash('sha256').update(`form token of ${formCookie}`).digest('hex');

/**
 * Whether a form was sent by a page of ours: the browser says where it comes from, as far as it does say so, and it
 * carries the token, which other sites cannot read.
 */
export function isOurs(request: Request, expected: string, given: string, externalUrl: string): boolean {
  return comesFromHere(request, externalUrl) && given !== '' && sameSecret(expected, given);
}

/** Browsers set these headers by themselves, and scripts cannot. */
function comesFromHere(request: Request, externalUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  // Behind a proxy the one is known, without one the other.
  const { host } = new URL(origin);
  return host === new URL(externalUrl).host || host === request.get('host');
}
