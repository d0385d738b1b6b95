import type { UrlRefusal } from '#libs/outbound';
import type { RemoteRepository } from '#libs/git';

const BLOCKED: Readonly<Record<UrlRefusal, string>> = {
  malformed: 'URI is invalid',
  scheme: 'Only allowed schemes are http, https',
  port: 'Only allowed ports are 80, 443, and any over 1024',
  host: 'Requests to the local network are not allowed',
  header: 'Username or password are invalid',
};

/** What a user is told of an import URL that is not taken. */
export const refusalSentence = (refusal: UrlRefusal): string => `is blocked: ${BLOCKED[refusal]}`;

/** The URL as git gets it, and what stood before its host. */
export function withoutCredentials(text: string): Pick<RemoteRepository, 'url' | 'credentials'> {
  const url = new URL(text);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const isOpen = username === '' && password === '';
  const credentials = isOpen ? null : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: url.toString(), credentials };
}
