import { unauthenticated } from '#libs/errors';
import type { Request } from 'express';
import { Strategy } from 'passport';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import { lastOf } from '../parameters/values';
import type { Credential } from './credential';

/** Undefined: the request shows none. Null: it shows something that cannot be one, such as a list. */
type Reader = (request: Request) => string | null | undefined;

/**
 * A strategy takes a credential out of a request; whether it is good is found out together with the subject,
 * in one query (see CallerResolver).
 */
class CredentialStrategy extends Strategy {
  constructor(
    override readonly name: string,
    private readonly kind: Credential['kind'],
    private readonly read: Reader,
  ) {
    super();
  }

  override authenticate(request: Request): void {
    const secret = this.read(request);
    // An error, not a failure: no other strategy may make up for it, nor may the call pass for an anonymous one.
    if (secret === null) return this.error(unauthenticated());
    if (secret === undefined || secret === '') return this.fail(401);
    const credential: Credential = { kind: this.kind, secret };
    this.success(credential);
  }

  isShownIn(request: Request): boolean {
    const secret = this.read(request);
    return secret !== undefined && secret !== '';
  }
}

const parameter =
  (name: string): Reader =>
  (request) => {
    const value = lastOf(request.parameters?.[name]) ?? undefined;
    return value === undefined || typeof value === 'string' ? value : null;
  };

const header =
  (name: string): Reader =>
  (request) =>
    request.get(name);

export const SESSION_COOKIE = '_service_session';

const cookie =
  (name: string): Reader =>
  (request) => {
    const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  };

const accessToken = parameter('access_token');

/** What passport-http-bearer shall find in the body: of a repeated token the last, as Rack has it. */
export function bearerParameters(request: Request): { access_token: string | undefined } {
  const secret = accessToken(request);
  if (secret === null) throw unauthenticated();
  return { access_token: secret };
}

/** A strategy with whether a request has anything for it. */
export interface Way {
  readonly strategy: Strategy;
  isShownIn(request: Request): boolean;
}

const hasAccessToken = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'access_token' in body && body.access_token !== undefined;

const BEARER: Way = {
  strategy: new BearerStrategy((secret: string, done: (error: null, credential: Credential) => void) =>
    done(null, { kind: 'token', secret }),
  ),
  isShownIn: ({ headers, body }: Request) => headers.authorization !== undefined || hasAccessToken(body),
};

const OTHERS: readonly CredentialStrategy[] = [
  new CredentialStrategy('private-token-parameter', 'token', parameter('private_token')),
  new CredentialStrategy('private-token-header', 'token', header('private-token')),
  new CredentialStrategy('job-token-header', 'job_token', header('job-token')),
  new CredentialStrategy('job-token-parameter', 'job_token', parameter('job_token')),
  new CredentialStrategy('session-cookie', 'session', cookie(SESSION_COOKIE)),
];

/** In the order in which the reference looks: bearer, private token as parameter, as header, job token, session cookie. */
export const WAYS: readonly Way[] = [
  BEARER,
  ...OTHERS.map((strategy) => ({ strategy, isShownIn: (request: Request) => strategy.isShownIn(request) })),
];
