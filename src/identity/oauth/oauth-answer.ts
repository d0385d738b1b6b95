import OAuth2Server from '@node-oauth/oauth2-server';

/** What a client is told: programs read it, so it has the shape of RFC 6749. */
export interface OAuthAnswer {
  readonly status: number;
  readonly body: object;
  /** The scheme by which to authenticate instead, for the WWW-Authenticate header. */
  readonly challenge?: string;
}

const { OAuthError, ServerError, InvalidRequestError } = OAuth2Server;

/** As the reference: who is not who they say, or has nothing valid in hand, is not authorised. */
const UNAUTHORIZED = new Set(['invalid_client', 'invalid_grant', 'invalid_token', 'unauthorized_request']);

/** Throws on what is no refusal but a failure: the cause that the library has wrapped. */
export function refusalOf(error: unknown): OAuthAnswer {
  const refusal = unwrapped(error);
  const isUnauthorized = UNAUTHORIZED.has(refusal.name);
  return {
    status: isUnauthorized ? 401 : 400,
    body: {
      // Whoever shows no token is told what RFC 6750 tells of a wrong one, as the reference does.
      error: refusal.name === 'unauthorized_request' ? 'invalid_token' : refusal.name,
      error_description: refusal.message,
    },
    ...(refusal.name === 'invalid_client' && { challenge: 'Basic realm="OAuth 2.0 client"' }),
    ...((refusal.name === 'invalid_token' || refusal.name === 'unauthorized_request') && {
      challenge: 'Bearer realm="OAuth 2.0", error="invalid_token"',
    }),
  };
}

/** The library's refusal; throws what it wrapped, or what is none of its errors. */
export function unwrapped(error: unknown): OAuth2Server.OAuthError {
  if (!(error instanceof OAuthError)) throw error;
  if (!(error instanceof ServerError)) return error;
  throw 'inner' in error && error.inner instanceof Error ? error.inner : error;
}

/**
 * The parameters of `names` that were sent, empty ones left out (RFC 6749, 3.1). Throws `invalid_request` for a
 * repeated one and for anything but text.
 */
export function textsOf(
  parameters: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of names) {
    const value = parameters[name] ?? '';
    if (typeof value !== 'string') throw new InvalidRequestError(`Invalid parameter: \`${name}\``);
    if (value !== '') texts[name] = value;
  }
  return texts;
}
