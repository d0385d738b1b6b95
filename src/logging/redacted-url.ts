/** Query parameters whose values let somebody in. */
const SECRETS = new Set([
  'private_token',
  'access_token',
  'job_token',
  'token',
  'password',
  'client_secret',
  'refresh_token',
  'code',
  'code_verifier',
  'state',
  'confirmation_token',
  'reset_password_token',
  // Where to go after the sign-in: it may hold any of the others.
  'return_to',
]);

/** Longer URLs tell no more, and a client chooses their length. */
const MAX_LENGTH = 2048;

function nameOf(piece: string): string {
  const name = piece.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}

/** `a[private_token]` is as secret as `private_token`. */
const isSecret = (name: string): boolean => name.split(/[[\]]/).some((part) => SECRETS.has(part));

/** The URL of a request as it may be written down: values of secret query parameters replaced, cut to 2,048 characters. */
export function redactedUrl(url: string): string {
  const [path = '', ...queries] = url.split('?');
  const pieces = queries.join('?').split('&');
  const shown = pieces.map((piece) =>
    isSecret(nameOf(piece)) ? `${piece.split('=', 1)[0] ?? ''}=[redacted]` : piece,
  );
  const whole = queries.length === 0 ? path : `${path}?${shown.join('&')}`;
  return whole.slice(0, MAX_LENGTH);
}
