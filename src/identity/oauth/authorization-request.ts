import { createHash } from 'node:crypto';
import type { Scope } from '#libs/access';
import type { OAuthApplication } from './oauth-application.entity';
import type { OAuthClients } from './oauth-clients';
import type { Person } from './oauth-model';
import { grantableScopes } from './oauth-scopes';

/** What an application asks a person for, when all of it is in order. */
export interface AuthorizationRequest {
  readonly application: OAuthApplication;
  /** One of the application's, to the letter. */
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** Goes back to the application as it came. */
  readonly state: string | null;
  /** By S256, whatever the application sent. */
  readonly codeChallenge: string | null;
}

export type ReadRequest =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'redirected'; readonly location: string }
  | { readonly kind: 'asked'; readonly request: AuthorizationRequest };

export const UNKNOWN_APPLICATION = {
  kind: 'refused',
  reason: 'No application has this client ID.',
} as const satisfies ReadRequest;

type Query = Readonly<Record<string, unknown>>;

/** Parameters that make up a request; a page that asks for consent sends them again. */
export const AUTHORIZATION_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

/** RFC 7636, 4.1 and 4.2. */
const CHALLENGE = /^[\w.~-]{43,128}$/;
/** What may come back; longer ones would not fit into an address either. */
const MAX_STATE_LENGTH = 4096;

class Malformed extends Error {
  constructor(
    readonly error: string,
    description: string,
  ) {
    super(description);
  }
}

/**
 * Reads what a person was sent to us with. While it is not certain that the address to go back to is the
 * application's, nobody is sent anywhere (RFC 6749, 4.1.2.1).
 */
export async function readAuthorizationRequest(
  clients: OAuthClients,
  person: Person,
  query: Query,
): Promise<ReadRequest> {
  const { client_id: clientId, redirect_uri: redirectUri } = query;
  const application = typeof clientId === 'string' ? await clients.find(clientId) : null;
  if (!application) return UNKNOWN_APPLICATION;
  if (typeof redirectUri !== 'string' || !application.redirectUris.includes(redirectUri)) {
    return { kind: 'refused', reason: 'The redirect URI is not one that the application has registered.' };
  }
  const state = typeof query['state'] === 'string' && query['state'] !== '' ? query['state'] : null;
  try {
    return { kind: 'asked', request: readRest(query, application, person, { redirectUri, state }) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const outcome = { error: error.error, error_description: error.message };
    const kept = state !== null && state.length <= MAX_STATE_LENGTH ? { state } : {};
    return { kind: 'redirected', location: withParameters(redirectUri, { ...outcome, ...kept }) };
  }
}

/** The address as it was registered, to the letter, with more parameters. */
export function withParameters(redirectUri: string, added: Readonly<Record<string, string>>): string {
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(added).toString()}`;
}

function readRest(
  query: Query,
  application: OAuthApplication,
  person: Person,
  known: { readonly redirectUri: string; readonly state: string | null },
): AuthorizationRequest {
  const repeated = AUTHORIZATION_PARAMETERS.find(
    (name) => !['string', 'undefined'].includes(typeof query[name]),
  );
  if (repeated !== undefined) throw new Malformed('invalid_request', `Invalid parameter: ${repeated}`);
  if (known.state !== null && known.state.length > MAX_STATE_LENGTH) {
    throw new Malformed('invalid_request', 'Invalid parameter: state is too long');
  }
  const responseType = textOf(query, 'response_type');
  if (responseType === null) throw new Malformed('invalid_request', 'Missing parameter: response_type');
  if (responseType !== 'code') {
    throw new Malformed('unsupported_response_type', 'The only response type is "code"');
  }
  const asked = textOf(query, 'scope')
    ?.split(/\s+/)
    .filter((word) => word !== '');
  const scopes = grantableScopes(asked, application.scopes, person);
  if (!scopes) throw new Malformed('invalid_scope', 'The scope is unknown, or more than may be granted');
  return { application, scopes, codeChallenge: challengeOf(query, application), ...known };
}

/** Whoever cannot keep a secret proves by it that the code comes back from where it was asked for. */
function challengeOf(query: Query, { confidential }: OAuthApplication): string | null {
  const value = textOf(query, 'code_challenge');
  const method = textOf(query, 'code_challenge_method') ?? 'plain';
  if (value === null) {
    if (confidential) return null;
    throw new Malformed('invalid_request', 'Missing parameter: code_challenge');
  }
  if (!CHALLENGE.test(value)) throw new Malformed('invalid_request', 'Invalid parameter: code_challenge');
  if (method !== 'S256' && method !== 'plain') {
    throw new Malformed('invalid_request', 'Invalid parameter: code_challenge_method');
  }
  // The one is as good as the other, but a plain one must not lie about (the reference takes both).
  return method === 'plain' ? createHash('sha256').update(value).digest('base64url') : value;
}

function textOf(query: Query, name: string): string | null {
  const value = query[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
