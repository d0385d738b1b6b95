import type { CookieOptions, Request } from 'express';

/** What the cookies of the pages have in common: no script reads them, and no other site's form brings them along. */
export interface CookieRules {
  /** Over TLS alone. */
  readonly secure: boolean;
}

export const cookieOptions = ({ secure }: CookieRules, lastsUntil?: Date): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  path: '/',
  secure,
  ...(lastsUntil && { expires: lastsUntil }),
});

/** The first of that name; empty when there is none. */
export function cookieOf(request: Request, name: string): string {
  const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
