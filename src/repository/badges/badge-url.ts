import type { PlaceholderValues } from './badge';

/** Braces may come encoded, as URL parsers write them. */
const PLACEHOLDER = /%(?:\{|%7[Bb])(?<name>project_path|project_id|default_branch|commit_sha)(?:\}|%7[Dd])/g;

const LONGEST_URL = 2048;

const isName = (text: string | undefined, values: PlaceholderValues): text is keyof PlaceholderValues =>
  text !== undefined && text in values;

function replaced(url: string, valueOf: (name: string | undefined, all: string) => string): string {
  return url.replace(PLACEHOLDER, (all: string, name: string) => valueOf(name, all));
}

/** Whether the URL asks for a value at all, or for the one that is named. */
export const asksFor = (url: string, wanted?: keyof PlaceholderValues): boolean =>
  [...url.matchAll(PLACEHOLDER)].some(({ groups }) => wanted === undefined || groups?.['name'] === wanted);

/** What is wrong with the URL of a badge, as a sentence without its subject; null for nothing. */
export function urlProblem(url: string): string | null {
  if (url.trim() === '') return "can't be blank";
  if (url.length > LONGEST_URL) return `is too long (maximum is ${LONGEST_URL} characters)`;
  // A placeholder may stand anywhere, also in the host, so the URL is looked at with harmless values in it.
  const sample = replaced(url, () => 'x');
  // Parsers overlook blanks, line breaks and backslashes, which would then be kept in the record.
  if (/[\s\p{Cc}\\]/u.test(sample) || !URL.canParse(sample)) return 'must be a valid URL';
  const { protocol, username, password } = new URL(sample);
  if (!/^https?:\/\/[^/]/i.test(sample) || !['http:', 'https:'].includes(protocol)) {
    return 'is blocked: Only allowed schemes are http, https';
  }
  return username !== '' || password !== '' || hasUserInfo(sample)
    ? 'is blocked: Username and password are not allowed'
    : null;
}

/** `https://@host` has an empty user, of which a parser tells nothing. */
const hasUserInfo = (url: string): boolean => /^[a-z]+:\/\/[^/?#]*@/i.test(url);

/** The URL with all values in it that are known; a placeholder without a value stays as it is. */
export const renderUrl = (url: string, values: PlaceholderValues): string =>
  replaced(url, (name, all) => {
    const value = isName(name, values) ? values[name] : null;
    return value === null ? all : inUrl(value);
  });

/** Branches have names in which a URL could end, or begin anew at another host. */
const inUrl = (value: string): string => value.split('/').map(encodeURIComponent).join('/');
