import OAuth2Server from '@node-oauth/oauth2-server';
import type { ClientCredentials } from './oauth-clients';

const { InvalidClientError, InvalidRequestError } = OAuth2Server;

/** RFC 6749, 2.3.1: both parts are form-encoded before they are joined. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Not encoded, then: what came is what was meant.
    return text;
  }
}

function ofHeader(authorization: string): ClientCredentials {
  const encoded = /^basic +([\w~+/.-]+=*) *$/i.exec(authorization)?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1)
    throw new InvalidClientError('Invalid client: unreadable Authorization header', { code: 401 });
  const secret = formDecoded(text.slice(colon + 1));
  return {
    clientId: formDecoded(text.slice(0, colon)),
    clientSecret: secret === '' ? undefined : secret,
  };
}

/** Who the client says to be, in the header or in the body; null when it says nothing. Throws OAuth errors. */
export function clientCredentialsOf(
  authorization: string | undefined,
  { client_id: clientId, client_secret: clientSecret }: Readonly<Record<string, string>>,
): ClientCredentials | null {
  if (authorization === undefined || !/^basic\b/i.test(authorization)) {
    return clientId === undefined ? null : { clientId, clientSecret };
  }
  const shown = ofHeader(authorization);
  // "MUST NOT use more than one authentication method" (RFC 6749, 2.3).
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== shown.clientId)) {
    throw new InvalidRequestError('Invalid request: the client authenticates in two ways');
  }
  return shown;
}
