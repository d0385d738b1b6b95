/** Longer or more than anybody needs. */
const MAX_LENGTH = 2000;
const MAX_COUNT = 20;

/** Schemes that make a browser run, read or send something rather than hand over to an application. */
const HARMFUL = new Set([
  'about:',
  'blob:',
  'chrome:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'mailto:',
  'sms:',
  'tel:',
  'urn:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** One to a line, as people type them. */
export const redirectUrisOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** What is wrong with the addresses to which codes shall be sent; empty when nothing is. */
export function redirectUriErrors(uris: readonly string[]): string[] {
  if (uris.length === 0) return ["can't be blank"];
  if (uris.length > MAX_COUNT) return [`has more than ${MAX_COUNT} addresses`];
  return [...new Set(uris.flatMap((uri) => errorOf(uri) ?? []))];
}

function errorOf(uri: string): string | null {
  if (uri.length > MAX_LENGTH) return `is too long (maximum is ${MAX_LENGTH} characters)`;
  if (uri.includes('#')) return 'cannot contain a fragment';
  // Only what every program reads in the same way; browsers turn a backslash into a slash.
  const url = /^[!-~]+$/.test(uri) && !/[\\"<>^`{|}]/.test(uri) ? parsed(uri) : null;
  if (!url) return 'must be an absolute URI';
  if (url.protocol === 'https:' || url.protocol === 'http:') return webErrorOf(uri, url);
  return HARMFUL.has(url.protocol) ? 'has a scheme that is not allowed' : null;
}

function webErrorOf(uri: string, url: URL): string | null {
  if (!/^https?:\/\/[^/?]/.test(uri)) return 'must be an absolute URI';
  if (url.username !== '' || url.password !== '') return 'cannot contain a user name or password';
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname))
    return 'must use https, except on this machine';
  return null;
}

function parsed(uri: string): URL | null {
  try {
    return new URL(uri);
  } catch {
    // Not an error of ours: the text is no address.
    return null;
  }
}
