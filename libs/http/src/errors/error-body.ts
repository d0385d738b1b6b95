import type { ErrorKind } from '#libs/errors';

/** An answer to a request that failed. `body` undefined sends none. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** For what nobody foresaw: its cause goes to the log, never to the client. */
export const UNFORESEEN: ErrorAnswer = { status: 500, body: { message: '500 Internal Server Error' } };

const SCOPE_DESCRIPTION = 'The request requires higher privileges than provided by the access token.';

const bearerChallenge = (error: string, description: string): Record<string, string> => ({
  'WWW-Authenticate': `Bearer realm="Protected by OAuth 2.0", error="${error}", error_description="${description}"`,
});

function notFoundText(what: string | undefined, message: string | undefined): string {
  if (message !== undefined) return message;
  return what === undefined ? '404 Not found' : `404 ${what} Not Found`;
}

/** The only place that knows which status and which of the specification's body forms an error kind has. */
export function answerFor(error: ErrorKind): ErrorAnswer {
  switch (error.kind) {
    case 'unauthenticated':
      return { status: 401, body: { message: '401 Unauthorized' } };
    case 'invalid_token':
      return {
        status: 401,
        body: { error: 'invalid_token', error_description: error.description },
        headers: bearerChallenge('invalid_token', error.description),
      };
    case 'insufficient_scope':
      return {
        status: 403,
        body: { error: 'insufficient_scope', error_description: SCOPE_DESCRIPTION, scope: error.scope },
        headers: bearerChallenge('insufficient_scope', SCOPE_DESCRIPTION),
      };
    case 'forbidden':
      if (error.error !== undefined) return { status: 403, body: { error: error.error } };
      return {
        status: 403,
        body: { message: error.reason === undefined ? '403 Forbidden' : `403 Forbidden - ${error.reason}` },
      };
    case 'not_found':
      return { status: 404, body: { message: notFoundText(error.what, error.message) } };
    case 'missing':
      return { status: 400, body: { message: `400 (Bad request) "${error.attribute}" not given` } };
    case 'invalid_parameter':
      return { status: 400, body: { error: error.text } };
    case 'validation':
      return { status: 400, body: { message: error.errors } };
    case 'bad_request':
      return { status: 400, body: { message: error.message } };
    case 'not_allowed':
      return { status: 405, body: { message: error.message } };
    case 'not_acceptable':
      return { status: 406, body: { message: error.message } };
    case 'conflict':
      return { status: 409, body: { message: error.message ?? '409 Conflict' } };
    case 'precondition_failed':
      return { status: 412, body: { message: error.message ?? '412 Precondition Failed' } };
    case 'scim':
      return { status: 400, body: { message: error.detail } };
    case 'unprocessable':
      return {
        status: 422,
        body: error.messages ? { message: error.messages } : { error: error.error ?? 'Unprocessable' },
      };
    case 'not_modified':
      return { status: 304 };
    case 'too_large':
      return { status: 413, body: { message: '413 Request Entity Too Large' } };
    case 'unavailable':
      return { status: 503, body: { message: error.message }, headers: { 'Retry-After': '5' } };
  }
}
