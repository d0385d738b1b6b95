/**
 * Files that are likely to hold secrets, by their path from the repository's root. docs/push-rules.md lists them for
 * people: change both.
 */
export const SECRET_FILES: readonly RegExp[] = [
  /(?:^|\/)(?:[^/]+_)?id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /(?:^|\/)(?:ssh|config)\/(?:personal|server)_(?:rsa|dsa|ecdsa|ed25519)$/,
  /\.(?:pem|key|ppk)$/,
  /\.(?:p12|pfx)$/,
  /(?:^|\/)\.?aws\/credentials$/,
  /(?:^|\/)(?:\.netrc|\.pgpass)$/,
  /\.history$/,
  /(?:^|\/)\.?[a-z0-9]+_history$/,
];

/** Upper and lower case are the same to many file systems. */
const LOWERED = (path: string): string => path.toLowerCase();

/** The pattern that the path of a secret file fits; null for any other path. */
export const secretPatternOf = (path: string): string | null =>
  SECRET_FILES.find((pattern) => pattern.test(LOWERED(path)))?.source ?? null;
