/** Of a file's name as it stands in a link; a bracket ends the link's text, unless the name goes on after it. */
const IN_NAME = /[^\s/\\<>()[\]"'`?#]/.source;
const UPLOAD = new RegExp(
  String.raw`(?<![\w./-])\/uploads\/([0-9a-f]{32})\/((?:${IN_NAME}|\](?=${IN_NAME})){1,255})(?=[\s)\]>"'\`?#]|$)`,
  'g',
);

/** A file that a text links to: as written, and the names that the service knows it by. */
export interface LinkedUpload {
  readonly link: string;
  readonly secret: string;
  /** Decoded; what cannot be decoded is no file of ours. */
  readonly fileName: string;
}

/** The uploads of its own project that a text links to. No part of them is ever a path in the storage. */
export function linkedUploads(text: string): LinkedUpload[] {
  if (!text.includes('/uploads/')) return [];
  const found = new Map<string, LinkedUpload>();
  for (const [link, secret = '', written = ''] of text.matchAll(UPLOAD)) {
    const fileName = decoded(written);
    if (fileName !== null) found.set(link, { link, secret, fileName });
  }
  return [...found.values()];
}

function decoded(written: string): string | null {
  try {
    return decodeURIComponent(written);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The text with links replaced; those that nothing is known of stay. */
export const withLinks = (text: string, links: ReadonlyMap<string, string | null>): string =>
  links.size === 0 ? text : text.replace(UPLOAD, (link: string) => links.get(link) ?? link);
