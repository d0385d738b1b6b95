const LONGEST = 4096;
/** Any origin will do: it is compared with and never shown. */
const HERE = 'http://local.invalid';

/**
 * A path (with its query) of this service that a browser sent along may be led to; null for everything that a browser
 * could take for another site.
 */
export function localPath(text: string): string | null {
  // Browsers drop tabs and line breaks, and read "\" as "/".
  if (text.length > LONGEST || !/^\/(?!\/)[^\\\0-\x20\x7f]*$/.test(text)) return null;
  if (!URL.canParse(text, HERE)) return null;
  const { origin, pathname, search } = new URL(text, HERE);
  // "/.//elsewhere" has become "//elsewhere" by now.
  return origin === HERE && !pathname.startsWith('//') ? `${pathname}${search}` : null;
}
