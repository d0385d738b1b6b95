/** What a git client shows in its Authorization header. */
export type GitCredential =
  | { readonly kind: 'token'; readonly secret: string }
  /** The password may also be a token, whatever the login says. */
  | { readonly kind: 'password'; readonly login: string; readonly password: string };

/** Null without a header, or with one of another scheme. */
export function gitCredential(authorization: string | undefined): GitCredential | null {
  const [, scheme, value] = /^(basic|bearer) +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (scheme === undefined || value === undefined) return null;
  if (scheme.toLowerCase() === 'bearer') return { kind: 'token', secret: value };
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  return { kind: 'password', login: text.slice(0, colon), password: text.slice(colon + 1) };
}
