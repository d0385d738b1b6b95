/** Quoted-string of RFC 6266, with anything that could end it or the line replaced. */
const quoted = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, '_');

/** The extended notation of RFC 8187, which wants a few more characters encoded than a URL does. */
const extended = (text: string): string =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The header that tells a browser to draw a file or to save it, under which name; any text may be the name. */
export const contentDisposition = (kind: 'inline' | 'attachment', fileName: string): string =>
  `${kind}; filename="${quoted(fileName)}"; filename*=UTF-8''${extended(fileName)}`;
